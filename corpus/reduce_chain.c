/* A sum along a chain that ends at rank 0: the last rank begins, every other adds its number to what comes from above.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 9, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double partial = 0.0, mine;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = 1.0 / (rank + 1);
    if (rank != np - 1)
        MPI_Recv(&partial, 1, MPI_DOUBLE, rank + 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    partial += mine;
    if (rank != 0)
        MPI_Send(&partial, 1, MPI_DOUBLE, rank - 1, 9, MPI_COMM_WORLD);                    //@ pass
    else
        printf("sum: %g\n", partial);

    MPI_Finalize();
    return 0;
}
