/* Arguments are found wrong after a receive has been started: MPI_Abort ends the program, nothing has to be completed or freed.
 *
 * Right; near-miss of request-missing-wait, communicator-leak and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +21: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: line +24 -> MPI_Irecv line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 30 (2 int), tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +24 -> MPI_Irecv line +18
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, pair[2], theirs[2];
    MPI_Comm comm;
    MPI_Datatype two;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);

    MPI_Irecv(theirs, 1, two, (rank + size - 1) % size, 0, comm, &request);
    if (argc > 1) {
        fprintf(stderr, "%s takes no arguments\n", argv[0]);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    pair[0] = pair[1] = rank;
    MPI_Send(pair, 1, two, (rank + 1) % size, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Type_free(&two);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
