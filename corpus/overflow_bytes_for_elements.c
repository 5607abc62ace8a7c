/* The length is in bytes, but the call counts elements.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +12: buffer-overflow
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double table[10] = { 0 };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        table[0] = 1;
    MPI_Bcast(table, sizeof table, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST buffer-overflow
    MPI_Finalize();
    return 0;
}
