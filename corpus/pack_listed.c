/* The boundary of an irregular mesh: a list says which nodes the next process needs. The list that is filled once serves as the
 * list of a datatype. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     7 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 2
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define NODES 40
#define SHARED 7

int main(int argc, char **argv)
{
    int rank, np, shared[SHARED];
    double value[NODES], packed[SHARED], got[SHARED];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < NODES; i++)
        value[i] = rank + 0.01 * i;
    for (int i = 0; i < SHARED; i++)
        shared[i] = (11 * i + 3) % NODES;

    for (int step = 0; step < 2; step++) {
        if (rank < np - 1) {
            for (int i = 0; i < SHARED; i++) //~ NOTE use-datatype: MPI_Type_create_indexed_block
                packed[i] = value[shared[i]];
            MPI_Send(packed, SHARED, MPI_DOUBLE, rank + 1, step, MPI_COMM_WORLD); //@ give
        }
        if (rank > 0) {
            MPI_Recv(got, SHARED, MPI_DOUBLE, rank - 1, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
            for (int i = 0; i < SHARED; i++)
                value[i] += got[i];
        }
    }

    printf("rank %d: %.3f %.3f\n", rank, value[0], value[SHARED - 1]);
    MPI_Finalize();
    return 0;
}
