/* A column has as many elements as there are rows; the receiver has room for as many as there are columns.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +20: message-truncation
 *   channel: line +18 -> line +20
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 datatype of line 25 (8 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of line +18 -> line +20
 */
#include <mpi.h>

enum { ROWS = 8, COLUMNS = 6 };

int main(int argc, char **argv)
{
    int rank, size;
    double field[ROWS][COLUMNS] = {{0}}, ghost[COLUMNS] = {0};
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        for (int to = 1; to < size; to++)
            MPI_Send(field, 1, column, to, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(ghost, COLUMNS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST message-truncation
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
