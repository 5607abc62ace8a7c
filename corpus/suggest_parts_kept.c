/* The last part is looked at: where there is no other process it is what it was before, so that a sum does not leave it. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @late -> @replace
 *     senders [1..1] for np >= 5 to 0
 *     receivers [0..0] for np >= 5 from 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, part = -1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int from = 1; from < np; from++) {
            MPI_Recv(&part, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take //~ NOTE use-collective: MPI_Reduce
            sum += part;
        }
        if (np > 4)
            MPI_Recv(&part, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ replace
        printf("%d, then %d\n", sum, part);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                           //@ give
        if (rank == 1 && np > 4)
            MPI_Send(&np, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);                         //@ late
    }

    MPI_Finalize();
    return 0;
}
