/* The two buffers come from one call of malloc in a loop, and are two.
 *
 * Right; near-miss of buffer-alias.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double *rows[2];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++)
        rows[i] = calloc(8, sizeof(double));
    MPI_Allreduce(rows[0], rows[1], 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++)
        free(rows[i]);
    MPI_Finalize();
    return 0;
}
