/* The list has numbers of another type than MPI takes for displacements: it would have to be copied itself. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     7 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define NODES 40
#define SHARED 7

int main(int argc, char **argv)
{
    int rank, np;
    long shared[SHARED];
    double value[NODES], packed[SHARED], got[SHARED];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < NODES; i++)
        value[i] = rank + 0.01 * i;
    for (int i = 0; i < SHARED; i++)
        shared[i] = (11 * i + 3) % NODES;

    if (rank < np - 1) {
        for (int i = 0; i < SHARED; i++)
            packed[i] = value[shared[i]];
        MPI_Send(packed, SHARED, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank > 0) {
        MPI_Recv(got, SHARED, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("rank %d: %.3f %.3f\n", rank, got[0], got[SHARED - 1]);
    }
    MPI_Finalize();
    return 0;
}
