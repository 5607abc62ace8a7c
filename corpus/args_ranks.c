/* Ranks, roots and tags that MPI does not accept, beside those that look like them and are right.
 *
 * A process without a left neighbour sends to MPI_PROC_NULL, not to -1.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 3
 *   channel: MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, mine, from_left = 0, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = rank;

    /* The neighbours of a line of processes: at the ends there is none. */
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == np - 1 ? MPI_PROC_NULL : rank + 1;
    MPI_Sendrecv(&mine, 1, MPI_INT, right, 0, &from_left, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);

    int nobody = -1;
    MPI_Send(&mine, 1, MPI_INT, nobody, 0, MPI_COMM_WORLD);         //~ MUST invalid-rank: -1
    MPI_Send(&mine, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD); //~ MUST invalid-rank: MPI_ANY_SOURCE
    MPI_Recv(&mine, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD); //~ MUST invalid-tag: MPI_ANY_TAG
    MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, -7, MPI_COMM_WORLD);          //~ MUST invalid-tag: -7
    MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, 99999, MPI_COMM_WORLD);       //~ MUST invalid-tag: 99999
    MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, 32767, MPI_COMM_WORLD);

    MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_SUM, nobody, MPI_COMM_WORLD); //~ MUST invalid-root: -1
    MPI_Bcast(&sum, 1, MPI_INT, MPI_ROOT, MPI_COMM_WORLD);                //~ MUST invalid-root: MPI_ROOT

    MPI_Finalize();
    return 0;
}
