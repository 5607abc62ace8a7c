/* An argument of the program selects how the ranks exchange: along a line, or all with rank 0.
 *
 * Every rank sees the same arguments, so all take the same way.
 */
/* expect:
 *   trace: no, without arguments only one of the two ways is run
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @line-pass -> @line-take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @star-give -> @star-take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @line-pass -> @line-take
 *   pattern: gather of @star-give -> @star-take
 */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (argc > 1 && strcmp(argv[1], "--line") == 0) {
        if (rank > 0)
            MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ line-take
        if (rank < np - 1)
            MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                      //@ line-pass //~ NOTE use-collective: MPI_Bcast
    } else if (rank == 0) {
        for (int i = 1; i < np; i++)
            MPI_Recv(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //@ star-take
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                 //@ star-give
    }

    MPI_Finalize();
    return 0;
}
