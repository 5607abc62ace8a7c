/* Buffers of functions and of the heap that are given up once the message is on its way; others that are not those of the message.
 *
 * Right; near-miss of buffer-race.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +9 -> line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +9 -> line +19
 */
#include <mpi.h>
#include <stdlib.h>

static MPI_Request send_to(int next, int *number, int twice)
{
    int next_number = *number + twice;
    MPI_Request request;
    *number = next_number;
    MPI_Isend(number, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
    return request;
}

static void exchange(int rank, int size)
{
    int number = rank, received;
    int *other = malloc(sizeof *other);
    MPI_Request request = send_to((rank + 1) % size, &number, 2);
    free(other);
    MPI_Recv(&received, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(rank, size);
    MPI_Finalize();
    return 0;
}
