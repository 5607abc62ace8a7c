/* The first number of the list is a whole one and becomes a real one there: no datatype does that. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     9 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define MANY 8

int main(int argc, char **argv)
{
    int rank, np, number = MANY;
    double many[MANY], all[MANY + 1], got[MANY + 1];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < MANY; i++)
        many[i] = rank + 0.1 * i;

    if (rank > 0) {
        all[0] = number;
        for (int i = 0; i < MANY; i++)
            all[1 + i] = many[i];
        MPI_Send(all, MANY + 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank < np - 1) {
        MPI_Recv(got, MANY + 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("rank %d: %.1f %.1f\n", rank, got[0], got[MANY]);
    }
    MPI_Finalize();
    return 0;
}
