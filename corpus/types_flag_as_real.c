/* The numbers of an array of structs are put one by one; the name of another member slipped in.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +25, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +30, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +31, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

struct cell {
    double heat;
    int flag;
};

int main(int argc, char **argv)
{
    int rank, size, i;
    struct cell cells[3];
    double here[3] = {0};
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (i = 0; i < 3; i++) {
        cells[i].heat = rank;
        cells[i].flag = i;
    }

    MPI_Win_create(here, sizeof here, sizeof here[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    for (i = 0; i < 2; i++)
        MPI_Put(&cells[i].heat, 1, MPI_DOUBLE, (rank + 1) % size, i, 1, MPI_DOUBLE, window);
    for (i = 2; i < 3; i++)
        MPI_Put(&cells[i].flag, 1, MPI_DOUBLE, (rank + 1) % size, i, 1, MPI_DOUBLE, window); //~ MUST buffer-type
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);

    printf("%f\n", here[0]);
    MPI_Finalize();
    return 0;
}
