/* Complex numbers with the imaginary unit of complex.h.
 *
 * Right; near-miss of buffer-type.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double complex mine, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 1.0 + rank * I;
    MPI_Allreduce(&mine, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%g %g\n", creal(sum), cimag(sum));
    MPI_Finalize();
    return 0;
}
