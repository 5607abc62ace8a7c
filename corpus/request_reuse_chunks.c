/* One request variable for the four chunks of a message: the single wait behind the loop is for the last chunk only. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +17 -> line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     8 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 4
 *   pattern: ring of MPI_Isend line +17 -> line +19
 */
#include <mpi.h>

#define CHUNKS 4
#define LENGTH 8

int main(int argc, char **argv)
{
    int rank, size;
    double out[CHUNKS][LENGTH] = {{0}}, in[CHUNKS][LENGTH];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < CHUNKS; i++)
        MPI_Isend(out[i], LENGTH, MPI_DOUBLE, (rank + 1) % size, i, MPI_COMM_WORLD, &request); //~ MUST request-reuse
    for (int i = 0; i < CHUNKS; i++)
        MPI_Recv(in[i], LENGTH, MPI_DOUBLE, (rank + size - 1) % size, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
