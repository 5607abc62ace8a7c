/* While a column is sent, its neighbours are changed.
 *
 * Right; near-miss of buffer-race.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +15 -> line +20
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 25 (4 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +15 -> line +20
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, i;
    double matrix[4][4] = {{0}}, column[4];
    MPI_Datatype type;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Isend(&matrix[0][1], 1, type, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (i = 0; i < 4; i++) {
        matrix[i][0] = i;
        matrix[i][2] = matrix[i][1];
    }
    MPI_Recv(column, 4, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
