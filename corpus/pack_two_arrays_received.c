/* What comes belongs to two arrays and a variable: their addresses make one datatype of them. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     12 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define FEW 3
#define MANY 8

int main(int argc, char **argv)
{
    int rank, np, few[FEW] = {0}, many[MANY] = {0}, last = 0, all[FEW + MANY + 1], got[FEW + MANY + 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < FEW + MANY + 1; i++)
        all[i] = 20 * rank + i;

    if (rank > 0)
        MPI_Send(all, FEW + MANY + 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD); //@ give
    if (rank < np - 1) {
        MPI_Recv(got, FEW + MANY + 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < FEW; i++) //~ NOTE use-datatype: unpacks what is received from `got` into `few`, `many` and `last`
            few[i] = got[i];
        for (int i = 0; i < MANY; i++)
            many[i] = got[FEW + i];
        last = got[FEW + MANY];
    }
    for (int i = 0; i < MANY; i++)
        printf("rank %d: %d %d %d\n", rank, few[i % FEW], many[i], last);
    MPI_Finalize();
    return 0;
}
