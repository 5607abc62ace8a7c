/* Only the even ranks share a window, made on their part of a split; a helper frees it for those who have one.
 *
 * Right; near-miss of window-leak and communicator-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Comm_split line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_allocate line +22, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +24, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +26, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +6, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_allocate line +22, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +24, ranks [0..2*(np / 2)] step 2 for odd np >= 3, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +26, ranks [0..2*(np / 2)] step 2 for odd np >= 3, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +6, ranks [0..2*(np / 2)] step 2 for odd np >= 3, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_allocate line +22, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +24, ranks [0..0] for np = 1..2, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +26, ranks [0..0] for np = 1..2, window of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +6, ranks [0..0] for np = 1..2, window of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void release(MPI_Win *window)
{
    if (*window != MPI_WIN_NULL)
        MPI_Win_free(window);
}

int main(int argc, char **argv)
{
    int rank, own, size, *memory;
    MPI_Comm even;
    MPI_Win window = MPI_WIN_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &even);

    if (even != MPI_COMM_NULL) {
        MPI_Comm_rank(even, &own);
        MPI_Comm_size(even, &size);
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, even, &memory, &window);
        MPI_Comm_free(&even);
        MPI_Win_fence(0, window);
        MPI_Put(&rank, 1, MPI_INT, (own + 1) % size, 0, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
    }
    release(&window);

    MPI_Finalize();
    return 0;
}
