/* Two requests are copied into an array in the other order, and tested there until both are complete: nobody needs the first variables
 * any more when the buffers are freed.
 *
 * Right; near-miss of buffer-race and request-missing-wait.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +17 -> MPI_Irecv line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 5, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +17 -> MPI_Irecv line +16
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, done = 0;
    int *in, *out;
    MPI_Request receive, send, both[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    in = malloc(sizeof *in);
    out = malloc(sizeof *out);
    *out = rank;
    MPI_Irecv(in, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &receive);
    MPI_Isend(out, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &send);
    both[0] = send;
    both[1] = receive;
    while (!done)
        MPI_Testall(2, both, &done, MPI_STATUSES_IGNORE);
    free(in);
    free(out);

    MPI_Finalize();
    return 0;
}
