/* Buffers that are no place for a message, beside the strange ones that MPI allows.
 */
/* expect:
 *   np: >= 1
 *   compile-flags: -Wno-uninitialized
 *   verdict: exact for any np >= 1
 *   collective: MPI_Gather line +17, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +21, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +22, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +23, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +25, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +26, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +27, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +28, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +30, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, *all = NULL, *unset;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    mine = rank;

    /* Only the root needs a receive buffer. */
    if (rank == 0)
        all = malloc(sizeof(double) * np);
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(all);

    double *empty = NULL;
    MPI_Bcast(empty, 0, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(empty, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: NULL, with 5 elements
    MPI_Bcast(unset, 5, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: never set

    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(MPI_IN_PLACE, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);               //~ MUST invalid-buffer: MPI_IN_PLACE
    MPI_Allreduce(&mine, MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); //~ MUST invalid-buffer: receive buffer
    MPI_Bcast(MPI_BOTTOM, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);                 //~ MUST invalid-buffer: MPI_BOTTOM

    MPI_Bcast("hello", 6, MPI_CHAR, 0, MPI_COMM_WORLD); //~ MUST invalid-buffer: string literal

    MPI_Finalize();
    return 0;
}
