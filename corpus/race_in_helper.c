/* A helper clears the buffer that is being sent, through its own pointer.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +20 -> line +22
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +20 -> line +22
 */
#include <mpi.h>

static void clear(double *p)
{
    for (int i = 0; i < 4; i++)
        p[i] = 0.0; //~ MUST buffer-race
}

int main(int argc, char **argv)
{
    int rank, size;
    double out[4] = {1.0}, in[4];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Isend(out, 4, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &request);
    clear(out); 
    MPI_Recv(in, 4, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
