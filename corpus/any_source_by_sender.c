/* Who has sent a result says where it belongs: the list is the same in whatever order they come.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +14 -> line +18
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +14 -> line +18
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, got;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        int *results = calloc(size, sizeof *results);
        for (int i = 1; i < size; i++) {
            MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            results[status.MPI_SOURCE] = got;
        }
        for (int i = 0; i < size; i++)
            printf("rank %d has %d\n", i, results[i]);
        free(results);
    }
    MPI_Finalize();
    return 0;
}
