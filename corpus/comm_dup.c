/* A library with a communicator of its own: its messages have the same tags as those of the program and never meet them.
 *
 * The program's message is sent first and received last.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @library-pass -> @library-take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup @dup, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @library-pass -> @library-take
 *   pattern: shift of MPI_Isend @pass -> @take
 */
#include <mpi.h>

static MPI_Comm library;

static void library_setup(MPI_Comm comm)
{
    MPI_Comm_dup(comm, &library);                                                      //@ dup
}

static void library_shift(int *x)
{
    int rank, size;

    MPI_Comm_rank(library, &rank);
    MPI_Comm_size(library, &size);
    if (rank < size - 1)
        MPI_Send(x, 1, MPI_INT, rank + 1, 0, library);                                 //@ library-pass
    if (rank > 0)
        MPI_Recv(x, 1, MPI_INT, rank - 1, 0, library, MPI_STATUS_IGNORE);              //@ library-take
}

int main(int argc, char **argv)
{
    int rank, np, mine, theirs = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    library_setup(MPI_COMM_WORLD);

    mine = rank;
    MPI_Isend(&rank, 1, MPI_INT, rank < np - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request); //@ pass
    library_shift(&mine);
    MPI_Recv(&theirs, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, //@ take
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Comm_free(&library);
    MPI_Finalize();
    return 0;
}
