/* Grids and arrays with extents that are no numbers of processes or elements.
 */
/* expect:
 *   verdict: unknown
 *   because: line +11: the grid of `MPI_Cart_create` is not known
 */
#include <mpi.h>

static void grids(int rows)
{
    int asked[2] = {0, -1}, none[2] = {0, 1}, below[1] = {-2}, periods[2] = {0, 0};
    int sizes[2] = {4, 4}, parts[2] = {0, 4}, starts[2] = {0, 0};
    MPI_Comm grid;
    MPI_Datatype part;

    MPI_Dims_create(rows, 2, asked);                                                                 //~ MUST invalid-count: extent number 1 of the array of MPI_Dims_create is -1
    MPI_Cart_create(MPI_COMM_WORLD, 2, none, periods, 0, &grid);                                     //~ MUST invalid-count: extent number 0 of the array of MPI_Cart_create is 0
    MPI_Comm_free(&grid);
    MPI_Cart_create(MPI_COMM_WORLD, 1, below, periods, 0, &grid);                                    //~ MUST invalid-count: is -2
    MPI_Comm_free(&grid);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part); //~ MUST invalid-count: extent number 0
    MPI_Type_free(&part);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    grids(4);
    MPI_Finalize();
    return 0;
}
