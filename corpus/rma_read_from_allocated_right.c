/* What is got into memory of MPI_Alloc_mem is summed after the flush.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +26, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, k, sum = 0, *mine, *got;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Alloc_mem(size * (MPI_Aint)sizeof *got, MPI_INFO_NULL, &got);
    MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    *mine = rank;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, window);
    for (k = 0; k < size; k++)
        MPI_Get(&got[k], 1, MPI_INT, k, 0, 1, MPI_INT, window);
    MPI_Win_flush_local_all(window);
    for (k = 0; k < size; k++)
        sum += got[k];
    MPI_Win_unlock_all(window);

    printf("%d: %d\n", rank, sum);
    MPI_Win_free(&window);
    MPI_Free_mem(got);
    MPI_Finalize();
    return 0;
}
