/* A sum of real numbers: added in another order it may be rounded differently, so what is suggested is advice.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double sum, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    sum = 1.0 / (rank + 1);
    if (rank == 0) {
        for (int from = 1; from < np; from++) {
            MPI_Recv(&part, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take //~ NOTE use-collective: MPI_Reduce
            sum += part;
        }
        printf("%.6f\n", sum);
    } else {
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                            //@ give
    }

    MPI_Finalize();
    return 0;
}
