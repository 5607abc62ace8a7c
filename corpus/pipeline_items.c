/* A pipeline of blocking calls: the first rank makes a fixed number of items, every rank works on each and hands it on.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 12
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define ITEMS 12

int main(int argc, char **argv)
{
    int rank, np;
    double item;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < ITEMS; i++) {
        if (rank == 0)
            item = i;
        else
            MPI_Recv(&item, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        item = item * 0.5 + rank;
        if (rank != np - 1)
            MPI_Send(&item, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                    //@ pass
        else
            printf("item %d: %g\n", i, item);
    }

    MPI_Finalize();
    return 0;
}
