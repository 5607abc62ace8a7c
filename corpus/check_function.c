/* Errors are returned, not fatal: every call is handed to a function that translates its code and aborts.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

static void check(int code, const char *where)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;

    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", where, text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int gather_sizes(const long *size, long *total, int rank, int np)
{
    int code = MPI_SUCCESS;

    if (rank != 0)
        return MPI_Send(size, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);                                        //@ give
    *total = *size;
    for (int from = 1; from < np && code == MPI_SUCCESS; from++) {
        long theirs = 0;

        code = MPI_Recv(&theirs, 1, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //@ take
        *total += theirs;
    }
    return code;
}

int main(int argc, char **argv)
{
    int rank, np;
    long size, total = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &np), "size");

    size = 1000L * rank;
    check(gather_sizes(&size, &total, rank, np), "sizes");

    MPI_Finalize();
    return 0;
}
