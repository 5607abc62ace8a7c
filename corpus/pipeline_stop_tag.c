/* A pipeline that does not know how many items will come: the stages run until a message with the stop tag arrives.
 *
 * The number of items is an argument of the program.
 */
/* expect:
 *   verdict: unknown
 *   assuming: the command line is the same on every rank
 *   because: line +29: whether `MPI_Recv` in @take is reached depends on data that may differ between ranks
 *   channel: @pass -> @take
 *     senders [0..1] for np >= 3 to rank + 1
 *     receivers [1..2] for np >= 3 from rank - 1
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdlib.h>

#define WORK 1
#define STOP 2

int main(int argc, char **argv)
{
    int rank, np, tag;
    double item = 0.0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int items = argc > 1 ? atoi(argv[1]) : 6;

    do {
        if (rank == 0) {
            tag = items-- > 0 ? WORK : STOP;
        } else {
            MPI_Recv(&item, 1, MPI_DOUBLE, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, &status); //@ take
            tag = status.MPI_TAG;
        }
        item += 1.0;
        if (rank + 1 < np)
            MPI_Send(&item, 1, MPI_DOUBLE, rank + 1, tag, MPI_COMM_WORLD);                  //@ pass
    } while (tag != STOP);

    MPI_Finalize();
    return 0;
}
