/* Between the two arrays in the list there is a number from before: the message is more than they are. */
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
    int rank, np, few[FEW], many[MANY], all[FEW + MANY + 1] = {0}, got[FEW + MANY + 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < FEW; i++)
        few[i] = 10 * rank + i;
    for (int i = 0; i < MANY; i++)
        many[i] = 100 * rank + i;

    if (rank > 0) {
        for (int i = 0; i < FEW; i++)
            all[i] = few[i];
        for (int i = 0; i < MANY; i++)
            all[FEW + 1 + i] = many[i];
        MPI_Send(all, FEW + MANY + 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank < np - 1) {
        MPI_Recv(got, FEW + MANY + 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("rank %d: %d %d\n", rank, got[0], got[FEW + MANY]);
    }
    MPI_Finalize();
    return 0;
}
