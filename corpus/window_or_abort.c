/* If the window can not be had as large as it should be, the program ends with MPI_Abort and frees nothing.
 *
 * Right; near-miss of window-leak and group-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +18: the exit of the program is not taken
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +23, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +25, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +27, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, found;
    double *memory, value = 1.0;
    void *bytes;
    MPI_Group group;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(16 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_get_group(window, &group);
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    MPI_Win_get_attr(window, MPI_WIN_SIZE, &bytes, &found);
    if (!found || *(MPI_Aint *)bytes < (MPI_Aint)(16 * sizeof(double))) {
        fprintf(stderr, "the window is too small\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    MPI_Win_fence(0, window);
    MPI_Put(&value, 1, MPI_DOUBLE, (rank + 1) % size, rank % 16, 1, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Group_free(&group);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
