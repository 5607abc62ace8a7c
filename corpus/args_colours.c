/* Colours and kinds of splits that are none.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc == 1)
        MPI_Comm_split(MPI_COMM_WORLD, -5, rank, &part); //~ MUST invalid-count: the colour of MPI_Comm_split is -5
    else if (argc == 2)
        MPI_Comm_split(MPI_COMM_WORLD, MPI_PROC_NULL, rank, &part); //~ MUST invalid-count: MPI_PROC_NULL, which is no colour
    else if (argc == 3)
        MPI_Comm_split(MPI_COMM_WORLD, rank - 1, rank, &part); //~ MUST invalid-count: rank - 1, which is negative here
    else
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_LOCK_SHARED, rank, MPI_INFO_NULL, &part); //~ MUST invalid-count: MPI_LOCK_SHARED, which is no MPI_COMM_TYPE
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
