/* Ranks that are negative nowhere, though a careless reader of the program might think so.
 *
 * The partner is -1 only where the call is not made.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: MPI_Sendrecv line +18 -> MPI_Sendrecv line +18
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +18 -> MPI_Sendrecv line +18
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +22, root np - 1, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, mine, got = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = rank;

    int partner = -1;
    if (rank == 0)
        partner = 1;
    if (rank == 1)
        partner = 0;
    if (partner >= 0)
        MPI_Sendrecv(&mine, 1, MPI_INT, partner, 0, &got, 1, MPI_INT, partner, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        //~^^ NOTE invalid-rank: partner 1

    MPI_Bcast(&got, 1, MPI_INT, np - 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
