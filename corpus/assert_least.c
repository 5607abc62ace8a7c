/* Process 0 gives to process 3: with less than four processes an assertion ends the program. */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 4
 *   channel: @give -> @take
 *     senders [0..0] to 3
 *     receivers [3..3] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   fact: line +18 printf on [3..3]: x = 7
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, x = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    assert(np >= 4);

    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 3, 0, MPI_COMM_WORLD); //@ give
    if (rank == 3) {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("%d\n", x);
    }
    MPI_Finalize();
    return 0;
}
