/* A sum written by hand: the root takes one array of every other rank and adds it to its own.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     64 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>

#define N 64

static void add(double *sum, const double *part)
{
    for (int i = 0; i < N; i++)
        sum[i] += part[i];
}

int main(int argc, char **argv)
{
    int rank, np;
    double sum[N], part[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++)
        sum[i] = rank + 1.0 / (i + 1);

    if (rank == 0) {
        for (int from = 1; from < np; from++) {
            MPI_Recv(part, N, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
            add(sum, part);
        }
    } else {
        MPI_Send(sum, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                            //@ give
    }

    MPI_Finalize();
    return 0;
}
