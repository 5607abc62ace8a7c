/* Compare and swap is for whole numbers; fetch and op for predefined datatypes.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +26, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double *mine, new, old = -1, zero = 0, pair[2] = {1, 1}, sums[2];
    MPI_Datatype two;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_DOUBLE, &two);
    MPI_Type_commit(&two);
    MPI_Win_allocate(3 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = mine[2] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    new = rank + 1;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Compare_and_swap(&new, &zero, &old, MPI_DOUBLE, 0, 0, window); //~ MUST invalid-datatype
    MPI_Fetch_and_op(pair, sums, two, 0, 1, MPI_SUM, window); //~ MUST invalid-datatype
    MPI_Win_unlock(0, window);

    printf("%d %s %f\n", rank, old == 0 ? "won" : "lost", sums[0]);
    MPI_Win_free(&window);
    MPI_Type_free(&two);
    MPI_Finalize();
    return 0;
}
