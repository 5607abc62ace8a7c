/* The array has room for eight processes, and the program is meant for so many.
 *
 * Right; near-miss of buffer-overflow.
 */
/* expect:
 *   np: 1, 4, 8
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +9: the buffer of MPI_Gather is too short for more than 8 processes
 *   lengths: not proved, line +10: the buffer of MPI_Allgather is too short for more than 8 processes
 *   collective: MPI_Gather line +9, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, all[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
