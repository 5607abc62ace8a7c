/* Running sums and running maxima of three numbers along a chain, whose ends have one neighbour only. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: line +21 -> line +16
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     3 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +30 -> line +25
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +21 -> line +16
 *   pattern: shift of line +30 -> line +25
 *   fact: line +32 printf on [0..0]: rank = 0, most = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    int sums[3], most, part[3], other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int k = 0; k < 3; k++)
        sums[k] = rank + k;
    if (rank > 0) {
        MPI_Recv(part, 3, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int k = 0; k < 3; k++)
            sums[k] += part[k];
    }
    if (rank < np - 1)
        MPI_Send(sums, 3, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); //~ NOTE use-collective: MPI_Scan

    most = rank * 5 % 7;
    if (rank > 0) {
        MPI_Recv(&other, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (other > most)
            most = other;
    }
    if (rank < np - 1)
        MPI_Send(&most, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD); //~ NOTE use-collective: MPI_Scan

    printf("%d: %d %d %d, %d\n", rank, sums[0], sums[1], sums[2], most);
    MPI_Finalize();
    return 0;
}
