/* A column of doubles is received as floats.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +18 -> line +20
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 datatype of line 25 (4 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +18 -> line +20
 */
#include <mpi.h>

enum { ROWS = 4, COLUMNS = 6 };

int main(int argc, char **argv)
{
    int rank, size;
    double field[ROWS][COLUMNS] = {{0}};
    float ghost[ROWS] = {0};
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank + 1 < size)
        MPI_Send(&field[0][COLUMNS - 1], 1, column, rank + 1, 0, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(ghost, ROWS, MPI_FLOAT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST datatype-mismatch
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
