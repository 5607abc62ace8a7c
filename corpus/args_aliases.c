/* One memory for the send buffer and the receive buffer of a call.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 *     senders [0..np-1] to rank
 *     receivers [0..np-1] from rank
 *     2 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace line +18 -> MPI_Sendrecv_replace line +18
 *     senders [0..np-1] to rank
 *     receivers [0..np-1] from rank
 *     2 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +22 line +24, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +25, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce line +22, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 *   pattern: shift of MPI_Sendrecv_replace line +18 -> MPI_Sendrecv_replace line +18
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x[8] = {0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Allreduce(x, x, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); //~ MUST buffer-alias: MPI_IN_PLACE
    MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(x, x + 4, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(x, x + 2, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); //~ MUST buffer-alias

    MPI_Sendrecv(x, 2, MPI_DOUBLE, rank, 0, x, 2, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, //~ MUST buffer-alias
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(x, 2, MPI_DOUBLE, rank, 0, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    /* At the root in place; elsewhere the receive buffer does not matter, whatever it is. */
    if (rank == 0)
        MPI_Reduce(MPI_IN_PLACE, x, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else
        MPI_Reduce(x, x, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(x, x, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); //~ MUST buffer-alias

    MPI_Finalize();
    return 0;
}
