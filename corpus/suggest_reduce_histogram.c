/* The root adds up the histograms of all processes, which are whole numbers: a reduction, the same in any order.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     4 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define BINS 4

int main(int argc, char **argv)
{
    int rank, np;
    long bins[BINS] = {0}, part[BINS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < 10; i++)
        bins[i * i % BINS] += rank;

    if (rank != 0) {
        MPI_Send(bins, BINS, MPI_LONG, 0, 0, MPI_COMM_WORLD);                                //@ give
    } else {
        for (int from = 1; from < np; from++) {
            MPI_Recv(part, BINS, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ take //~ NOTE use-collective: MPI_Reduce
            for (int k = 0; k < BINS; k++)
                bins[k] += part[k];
        }
        for (int k = 0; k < BINS; k++)
            printf("%ld\n", bins[k]);
    }

    MPI_Finalize();
    return 0;
}
