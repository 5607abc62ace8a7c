/* Rank 1 sends three elements to rank 0, which has listed two for it.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Alltoallv line +17 line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out[8] = {0}, in[8] = {0};
    int given[2] = {2, 2}, taken[2] = {2, 2}, starts[2] = {0, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1) {
        given[0] = 3;
        MPI_Alltoallv(out, given, starts, MPI_INT, in, taken, starts, MPI_INT, MPI_COMM_WORLD); //~ MUST count-mismatch
    } else {
        MPI_Alltoallv(out, given, starts, MPI_INT, in, taken, starts, MPI_INT, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return in[0];
}
