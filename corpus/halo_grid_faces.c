/* Six faces of a block, packed side by side in the order in which a grid counts its neighbours, go round a torus: one direction after
 * the other, and in each first one way and then back.
 */
#include <mpi.h>
#include <stdio.h>

#define FACE 4

int main(int argc, char **argv)
{
    int rank, np, dims[3] = {0, 0, 0}, periods[3] = {1, 1, 1};
    double mine[6 * FACE], theirs[6 * FACE], sum = 0;
    MPI_Comm torus;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &torus); //@ torus
    MPI_Comm_rank(torus, &rank);
    for (int i = 0; i < 6 * FACE; i++)
        mine[i] = 100 * rank + i;

    for (int d = 0; d < 3; d++) {
        int before, behind;
        MPI_Cart_shift(torus, d, 1, &before, &behind);
        MPI_Sendrecv(&mine[(2 * d + 1) * FACE], FACE, MPI_DOUBLE, behind, 0, &theirs[2 * d * FACE], FACE, MPI_DOUBLE, before, 0, torus, MPI_STATUS_IGNORE); //@ on
        //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoall` is one call for it
        MPI_Sendrecv(&mine[2 * d * FACE], FACE, MPI_DOUBLE, before, 0, &theirs[(2 * d + 1) * FACE], FACE, MPI_DOUBLE, behind, 0, torus, MPI_STATUS_IGNORE); //@ back
    }
    for (int i = 0; i < 6 * FACE; i++)
        sum = 2 * sum + theirs[i];
    printf("%d: %.17g\n", rank, sum);

    MPI_Comm_free(&torus);
    MPI_Finalize();
    return 0;
}
