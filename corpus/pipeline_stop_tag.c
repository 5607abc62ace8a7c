/* A pipeline that does not know how many items will come: the stages run until a message with the stop tag arrives.
 *
 * The number of items is an argument of the program.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   assuming: the command line is the same on every rank
 *   because: line +29: there are ever more kinds of processes or messages
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: @pass -> @take
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @pass -> @take
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
