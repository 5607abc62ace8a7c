/* The first number that comes says where the others belong. Right; near-miss of use-datatype. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     9 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define MANY 8
#define ROOM 20

int main(int argc, char **argv)
{
    int rank, np, first = 0, room[ROOM] = {0}, all[MANY + 1], got[MANY + 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    all[0] = rank % 7;
    for (int i = 1; i < MANY + 1; i++)
        all[i] = 20 * rank + i;

    if (rank > 0)
        MPI_Send(all, MANY + 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD); //@ give
    if (rank < np - 1) {
        MPI_Recv(got, MANY + 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        first = got[0];
        for (int i = 0; i < MANY; i++)
            room[first + i] = got[1 + i];
    }
    for (int i = 0; i < ROOM; i++)
        printf("rank %d: %d\n", rank, room[i]);
    MPI_Finalize();
    return 0;
}
