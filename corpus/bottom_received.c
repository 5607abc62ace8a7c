/* What is broadcast into the place that a datatype tells, relative to MPI_BOTTOM, is not what was there before: whether the ranks meet
 * once more depends on it. All of them do.
 */
/* expect:
 *   verdict: unknown
 *   because: line +17: whether `MPI_Barrier` in line +18 is reached depends on data that may differ between ranks
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, one = 1, x = 0;
    MPI_Aint place;
    MPI_Datatype there;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&x, &place);
    MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &there);
    MPI_Type_commit(&there);
    if (rank == 0)
        x = 1;
    MPI_Bcast(MPI_BOTTOM, 1, there, 0, MPI_COMM_WORLD); //@ spread
    if (x == 1)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Type_free(&there);
    MPI_Finalize();
    return 0;
}
