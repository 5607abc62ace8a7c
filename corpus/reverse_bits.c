/* The reordering of a fast Fourier transform: each process exchanges with the one whose number has its bits in the opposite order. */
/* expect:
 *   np: 1, 2, 4, 8, 16
 *   verdict: bounded to 2, 4
 *   because: line +19: the partner of `MPI_Sendrecv` is not known
 *   because: every path ends the program early (np = 3)
 *   because: every path ends the program early (np = 5)
 *   because: the channels shown are those of np = 4
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [0..0] to 0
 *     receivers [0..0] from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [2..2] to 1
 *     receivers [1..1] from 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [1..1] to 2
 *     receivers [2..2] from 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [3..3] to 3
 *     receivers [3..3] from 3
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   fact: line +21 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np & (np - 1))
        MPI_Abort(MPI_COMM_WORLD, 1);

    int reversed = 0;
    for (int bit = 1; bit < np; bit <<= 1)
        reversed = 2 * reversed + (rank & bit ? 1 : 0);
    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, reversed, 0, &other, 1, MPI_DOUBLE, reversed, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    printf("%d: %f\n", rank, other);
    MPI_Finalize();
    return 0;
}
