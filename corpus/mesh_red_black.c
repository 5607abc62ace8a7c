/* Red and black columns of a mesh: those in even columns give to the right first, those in odd columns take from the left first. */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +16: whether `MPI_Ssend` in @red is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   fact: line +27 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0};
    double mine, beside = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    int width = dims[1], column = rank % width;

    mine = rank;
    if (column % 2 == 0) {
        if (column + 1 < width)
            MPI_Ssend(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                               //@ red
        if (column > 0)
            MPI_Recv(&beside, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ black-to-red
    } else {
        MPI_Recv(&beside, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //@ red-to-black
        if (column + 1 < width)
            MPI_Ssend(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                               //@ black
    }

    printf("%d: %f\n", rank, beside);
    MPI_Finalize();
    return 0;
}
