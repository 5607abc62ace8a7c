/* Each process describes its band of rows of an array as long as there are processes, and the last element by itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   fact: line +26 printf on [0..np-1]: bytes = 60
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, bytes;
    int sizes[2], part[2] = {3, 5}, start[2] = {0, 0}, last[2], one[2] = {1, 1};
    MPI_Datatype band, corner;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    sizes[0] = 3 * size;
    sizes[1] = 5;
    start[0] = 3 * rank;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &band);
    MPI_Type_commit(&band);

    last[0] = sizes[0] - 1;
    last[1] = 4;
    MPI_Type_create_subarray(2, sizes, one, last, MPI_ORDER_FORTRAN, MPI_INT, &corner);
    MPI_Type_commit(&corner);

    MPI_Type_size(band, &bytes);
    printf("%d\n", bytes);
    MPI_Type_free(&corner);
    MPI_Type_free(&band);
    MPI_Finalize();
    return 0;
}
