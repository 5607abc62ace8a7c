/* A broadcast down a heap: the children of rank r are 2r + 1 and 2r + 2. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @left -> @child
 *     senders [0..np/2-1] to 2 * rank + 1
 *     receivers [1..np-1] step 2 from (rank - 1) / 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @right -> @child
 *     senders [0..(np+1)/2-2] to 2 * rank + 2
 *     receivers [2..np-1] step 2 from (rank / 2) - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   fact: line +22 printf on [0..0]: rank = 0
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
