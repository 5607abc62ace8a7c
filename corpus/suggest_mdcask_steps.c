/* The exchange of mdcask step by step, with arrays. The root may say to all at once what it asks of all. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     16 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat unknown
 *   channel: @report -> @gather
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     16 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     16 MPI_LONG, tag 3, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier line +37, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @ask -> @asked
 *   pattern: gather of @report -> @gather
 *   pattern: gather of @answer -> @answered
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define N 16

int main(int argc, char **argv)
{
    static long mine[N], part[N], asked[N];
    int rank, np, steps = 1 < argc ? atoi(argv[1]) : 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int step = 0; step < steps; step++) {
        asked[0] += rank + step;
        if (rank == 0) {
            for (int worker = 1; worker < np; worker++) {
                MPI_Recv(part, N, MPI_LONG, worker, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ gather //~ NOTE use-collective: MPI_Reduce
                for (int k = 0; k < N; k++)
                    mine[k] += part[k];
            }
            for (int worker = 1; worker < np; worker++) {
                MPI_Send(asked, N, MPI_LONG, worker, 2, MPI_COMM_WORLD);                    //@ ask //~ NOTE use-collective: MPI_Bcast
                MPI_Recv(part, N, MPI_LONG, worker, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ answered
                for (int k = 0; k < N; k++)
                    mine[k] += part[k];
            }
        } else {
            MPI_Send(mine, N, MPI_LONG, 0, 1, MPI_COMM_WORLD);                              //@ report
            MPI_Recv(asked, N, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);          //@ asked
            for (int k = 0; k < N; k++)
                mine[k] = asked[k] + rank;
            MPI_Send(mine, N, MPI_LONG, 0, 3, MPI_COMM_WORLD);                              //@ answer
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%ld %ld\n", mine[0], mine[N - 1]);

    MPI_Finalize();
    return 0;
}
