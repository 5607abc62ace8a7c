/* The master goes on by two blocks for each worker, so that half of them have a place behind the end. */
/* expect:
 *   verdict: exact for any np >= 2
 *   lengths: not proved, line +18: buffer-overflow
 *   channel: line +22 -> line +18
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     10 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +22 -> line +18
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    const int n = 10;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) MPI_Abort(MPI_COMM_WORLD, 1);

    int *all = calloc(n * size, sizeof *all);
    if (rank == 0) {
        int *place = all + n;
        for (int worker = 1; worker < size; worker++) {
            MPI_Recv(place, n, MPI_INT, worker, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST buffer-overflow
            place += 2 * n;
        }
    } else {
        MPI_Send(all, n, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    free(all);

    MPI_Finalize();
    return 0;
}
