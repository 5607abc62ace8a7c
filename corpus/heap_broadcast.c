/* A broadcast down a heap: the children of rank r are 2r + 1 and 2r + 2. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @left -> @child
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @left -> @child
 *     senders [1..1] for np >= 4 to 3
 *     receivers [3..3] for np >= 4 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @left -> @child
 *     senders {2*i + j: i in [1..(np / 4)-1], j in [0..1]} for np >= 4 to 2*rank + 1
 *     receivers {2*(2*i + j) + 1: i in [1..(np / 4)-1], j in [0..1]} for np >= 4 from 2*i + j
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @left -> @child
 *     senders [2*(np / 4)..2*(np / 4)] for np >= 6 with np % 4 = 2..3 to 4*(np / 4) + 1
 *     receivers [4*(np / 4)+1..4*(np / 4)+1] for np >= 6 with np % 4 = 2..3 from 2*(np / 4)
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [0..1] for np >= 5 to 2*rank + 2
 *     receivers [2..4] step 2 for np >= 5 from (rank / 2) - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [3..2*(np / 4)-1] step 2 for np >= 5 with np % 4 = 1..3 to 2*rank + 2
 *     receivers [8..4*(np / 4)] step 4 for np >= 5 with np % 4 = 1..3 from 2*(i - 1) + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [2..2*(np / 4)-2] step 2 for np >= 5 with np % 4 = 1..2 and np >= 8 with np % 4 = 0 to 2*rank + 2
 *     receivers [6..4*(np / 4)-2] step 4 for np >= 5 with np % 4 = 1..2 and np >= 8 with np % 4 = 0 from 2*i
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [3..2*(np / 4)-3] step 2 for np >= 8 with np % 4 = 0 to 2*rank + 2
 *     receivers [8..4*(np / 4)-4] step 4 for np >= 8 with np % 4 = 0 from 2*(i - 1) + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [2..2*(np / 4)] step 2 for np >= 7 with np % 4 = 3 to 2*rank + 2
 *     receivers [6..4*(np / 4)+2] step 4 for np >= 7 with np % 4 = 3 from 2*i
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [0..0] for np = 3..4 to 2
 *     receivers [2..2] for np = 3..4 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @left -> @child
 *   pattern: shift of @right -> @child
 *   pattern: shift of @right -> @child
 *   pattern: shift of @right -> @child
 *   pattern: shift of @right -> @child
 *   pattern: shift of @right -> @child
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = 2 * rank + 1, right = left + 1;
    if (rank == 0)
        value = 42;
    else
        MPI_Recv(&value, 1, MPI_INT, (rank - 1) / 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ child
    if (left < np)
        MPI_Send(&value, 1, MPI_INT, left, 0, MPI_COMM_WORLD);                                //@ left
    if (right < np)
        MPI_Send(&value, 1, MPI_INT, right, 0, MPI_COMM_WORLD);                               //@ right

    printf("%d: %d\n", rank, value);
    MPI_Finalize();
    return 0;
}
