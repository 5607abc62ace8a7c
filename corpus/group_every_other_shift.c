/* The processes of even rank send two places up in a communicator of their own, counted around. Where they are counted around begins at
 * another place for an odd number of processes than for an even one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [2*((np+1) / 2)-4..2*(np / 2)-2] step 2 for even np >= 4 to rank - 2*((np + 1) / 2) + 4
 *     receivers [0..2] step 2 for even np >= 4 from rank + 2*((np + 1) / 2) - 4
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [0..2*((np+1) / 2)-6] step 2 to rank + 4
 *     receivers [4..2*((np+1) / 2)-2] step 2 from rank - 4
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [2*((np+1) / 2)-4..2*(np / 2)] step 2 for odd np >= 3 to rank - 2*((np + 1) / 2) + 4
 *     receivers [0..2] step 2 for odd np >= 3 from rank + 2*((np + 1) / 2) - 4
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [0..0] for np = 1..2 to 0
 *     receivers [0..0] for np = 1..2 from 0
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *   pattern: shift of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *   pattern: shift of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, me, many, mine, theirs;
    MPI_Group world, even;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *list = malloc(np * sizeof *list);
    for (int i = 0; i < (np + 1) / 2; i++)
        list[i] = 2 * i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, (np + 1) / 2, list, &even);
    MPI_Comm_create(MPI_COMM_WORLD, even, &comm);                                                       //@ create
    MPI_Group_free(&even);
    MPI_Group_free(&world);
    free(list);

    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &me);
        MPI_Comm_size(comm, &many);
        mine = rank;
        MPI_Sendrecv(&mine, 1, MPI_INT, (me + 2) % many, 0, &theirs, 1, MPI_INT, (me + 2 * many - 2) % many, 0, //@ shift
                     comm, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
    }

    MPI_Finalize();
    return 0;
}
