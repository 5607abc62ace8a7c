/* The root broadcasts pairs of integers as records; the others expect as many integers as there are records, which is half of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +17: count-mismatch
 *   collective: MPI_Bcast line +15 line +17, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

enum { PAIRS = 5 };

int main(int argc, char **argv)
{
    int rank, pairs[PAIRS][2] = {{0}};
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    if (rank == 0)
        MPI_Bcast(pairs, PAIRS, pair, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(pairs, PAIRS, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST count-mismatch
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
