/* The request is copied into a list, and the list is waited for; the variable it was made in is used for the next one meanwhile.
 *
 * Right; near-miss of request-missing-wait and request-reuse.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +17 -> MPI_Irecv line +15
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 3
 *   pattern: ring of MPI_Isend line +17 -> MPI_Irecv line +15
 */
#include <mpi.h>

#define PARTS 3

int main(int argc, char **argv)
{
    int rank, size, out[PARTS] = {1, 2, 3}, in[PARTS], count = 0;
    MPI_Request request, list[2 * PARTS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int i = 0; i < PARTS; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, MPI_COMM_WORLD, &request);
        list[count++] = request;
        MPI_Isend(&out[i], 1, MPI_INT, (rank + 1) % size, i, MPI_COMM_WORLD, &request);
        list[count++] = request;
    }
    MPI_Waitall(count, list, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
