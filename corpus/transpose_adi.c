/* Alternating directions: each process has a strip of rows, works along them, and gives a block to every other one, so that it has a
 * strip of columns then; and back, in each time step.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Alltoall @turn, ranks [0..np-1], MPI_COMM_WORLD, repeat 5
 *   collective: MPI_Alltoall @back, ranks [0..np-1], MPI_COMM_WORLD, repeat 5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 4, STEPS = 5 };

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double *rows = calloc(np * BLOCK, sizeof *rows), *columns = calloc(np * BLOCK, sizeof *columns);
    rows[0] = rank;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < BLOCK; i++)
            rows[i] += 1;
        MPI_Alltoall(rows, BLOCK, MPI_DOUBLE, columns, BLOCK, MPI_DOUBLE, MPI_COMM_WORLD); //@ turn
        for (int i = 0; i < BLOCK; i++)
            columns[i] += 2;
        MPI_Alltoall(columns, BLOCK, MPI_DOUBLE, rows, BLOCK, MPI_DOUBLE, MPI_COMM_WORLD); //@ back
    }
    printf("rank %d: %g\n", rank, rows[0]);

    free(columns);
    free(rows);
    MPI_Finalize();
    return 0;
}
