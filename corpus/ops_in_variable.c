/* The last rank keeps another operation in the variable.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Scan line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine = 1, result;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    op = MPI_LOR;
    if (rank == size - 1)
        op = MPI_LAND;
    MPI_Scan(&mine, &result, 1, MPI_INT, op, MPI_COMM_WORLD); //~ MUST op-mismatch
    MPI_Finalize();
    return 0;
}
