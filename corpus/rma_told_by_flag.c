/* The data is put and flushed before the flag is, and read only when the flag has been seen: no message says so.
 */
/* expect:
 *   verdict: exact for any np >= 2
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +33, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, *mine, value = 17, one = 1, flag = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Win_allocate(2 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(1, window);
    } else if (rank == 1) {
        while (flag == 0) {
            MPI_Fetch_and_op(&one, &flag, MPI_INT, 1, 1, MPI_NO_OP, window);
            MPI_Win_flush(1, window);
        }
        MPI_Win_sync(window);
        printf("%d\n", mine[0]);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
