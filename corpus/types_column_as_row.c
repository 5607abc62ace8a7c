/* A column is received into an array without gaps: as many doubles on both sides, whatever lies between them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 datatype of line 24 (4 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

enum { ROWS = 4, COLUMNS = 6 };

int main(int argc, char **argv)
{
    int rank, size;
    double field[ROWS][COLUMNS] = {{0}}, ghost[ROWS] = {0};
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank + 1 < size)
        MPI_Send(&field[0][COLUMNS - 1], 1, column, rank + 1, 0, MPI_COMM_WORLD); //@ give
    if (rank > 0)
        MPI_Recv(ghost, ROWS, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
