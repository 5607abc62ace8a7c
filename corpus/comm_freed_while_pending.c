/* A duplicate is freed while a message on it is still awaited: the receive ends as if it were not.
 *
 * Right; near-miss of use-after-free and communicator-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +15
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +16 -> MPI_Irecv line +15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine, theirs = 0;
    MPI_Comm comm;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);

    mine = rank;
    MPI_Irecv(&theirs, 1, MPI_INT, (rank + size - 1) % size, 0, comm, &requests[0]);
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 0, comm, &requests[1]);
    MPI_Comm_free(&comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
