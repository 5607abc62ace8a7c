/* A column of a matrix as a list of places that are equally far apart, and a block as rows that lie side by side: simpler calls build
 * the same datatypes. The third one has a gap, and no simpler name.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +27, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +28, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +29, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 8

int main(int argc, char **argv)
{
    int rank, lengths[] = {1, 1, 1, 1}, places[] = {0, COLUMNS, 2 * COLUMNS, 3 * COLUMNS};
    int gaps[3] = {0, 3, 5};
    double matrix[ROWS][COLUMNS];
    MPI_Datatype column, block, some;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            matrix[i][j] = rank == 0 ? 10 * i + j : -1;

    MPI_Type_indexed(ROWS, lengths, places, MPI_DOUBLE, &column);             //~ NOTE simplify-datatype: MPI_Type_vector
    MPI_Type_vector(2, COLUMNS, COLUMNS, MPI_DOUBLE, &block);                 //~ NOTE simplify-datatype: MPI_Type_contiguous
    MPI_Type_create_indexed_block(3, 1, gaps, MPI_DOUBLE, &some);
    MPI_Type_commit(&column);
    MPI_Type_commit(&block);
    MPI_Type_commit(&some);
    MPI_Bcast(&matrix[0][5], 1, column, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix[2], 1, block, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix[0], 1, some, 0, MPI_COMM_WORLD);

    for (int i = 0; i < ROWS; i++)
        printf("rank %d: %g %g\n", rank, matrix[i][0], matrix[i][5]);
    MPI_Type_free(&column);
    MPI_Type_free(&block);
    MPI_Type_free(&some);
    MPI_Finalize();
    return 0;
}
