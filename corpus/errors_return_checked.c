/* Errors are returned, and the code of each call is looked at: what goes wrong leads to the end of the program, which nothing here leads to.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +25, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 */
#include <mpi.h>
#include <stdio.h>

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        error = (call);                                                                                    \
        if (error != MPI_SUCCESS)                                                                          \
            goto failed;                                                                                   \
    } while (0)

int main(int argc, char **argv)
{
    int rank, np, error, length, mine, theirs = -1, sum = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_rank(comm, &rank));
    CHECK(MPI_Comm_size(comm, &np));
    mine = rank;
    CHECK(MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % np, 0, &theirs, 1, MPI_INT, (rank + np - 1) % np, 0, comm,
                       MPI_STATUS_IGNORE));
    CHECK(MPI_Allreduce(&theirs, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(MPI_Comm_free(&comm));
    MPI_Finalize();
    return sum != np * (np - 1) / 2;

failed:
    MPI_Error_string(error, text, &length);
    fprintf(stderr, "%s\n", text);
    MPI_Abort(MPI_COMM_WORLD, error);
    return 1;
}
