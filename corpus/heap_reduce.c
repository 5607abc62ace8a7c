/* A sum up a heap: each process adds what its children 2r + 1 and 2r + 2 have, and gives it to its parent. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @up -> @parent
 *     senders [np-1..np-1] for np % 2 = 0 to (np / 2) - 1
 *     receivers [(np/2)-1..(np/2)-1] for np % 2 = 0 from np - 1
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @up -> @parent
 *     senders [1..(np%2)+np-2] to (rank + 1) / 2 - 1
 *     receivers [0..(np+1)/2-2] from each of [2*rank+1..2*rank+2]
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   fact: line +21 printf on [0..0]: sum = 10
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    long sum = rank, part;
    for (int child = 2 * rank + 1; child <= 2 * rank + 2; child++)
        if (child < np) {
            MPI_Recv(&part, 1, MPI_LONG, child, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ parent
            sum += part;
        }
    if (rank > 0)
        MPI_Send(&sum, 1, MPI_LONG, (rank - 1) / 2, 0, MPI_COMM_WORLD);                  //@ up
    else
        printf("%ld\n", sum);

    MPI_Finalize();
    return 0;
}
