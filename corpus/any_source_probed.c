/* A probe finds somebody's message, and what it holds goes where it belongs: to the part of the sender.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +16 -> line +21
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     2 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +16 -> line +21
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, pair[2];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pair[0] = rank;
    pair[1] = -rank;
    if (rank > 0) {
        MPI_Send(pair, 2, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        int *all = calloc(2 * size, sizeof *all);
        for (int i = 1; i < size; i++) {
            MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            MPI_Recv(&all[2 * status.MPI_SOURCE], 2, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
        }
        for (int i = 0; i < 2 * size; i++)
            printf("%d\n", all[i]);
        free(all);
    }
    MPI_Finalize();
    return 0;
}
