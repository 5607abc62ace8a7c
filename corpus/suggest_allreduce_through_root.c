/* The root adds up what all processes have, and tells all of them the sum: together that is one operation.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @tell -> @hear
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @tell -> @hear
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, sum, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    sum = 3 * rank + 1;
    if (rank == 0) {
        for (int from = 1; from < np; from++) {
            MPI_Recv(&part, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
            sum += part;
        }
        for (int to = 1; to < np; to++)
            MPI_Send(&sum, 1, MPI_INT, to, 1, MPI_COMM_WORLD);                       //@ tell //~ NOTE use-collective: MPI_Allreduce
    } else {
        MPI_Send(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                            //@ give
        MPI_Recv(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ hear
    }
    printf("%d: %d\n", rank, sum);

    MPI_Finalize();
    return 0;
}
