/* Even and odd ranks each shift a number along a line of their own: in MPI_COMM_WORLD every second rank is skipped.
 */
/* expect:
 *   verdict: unknown
 *   because: @split: `MPI_Comm_split` is not followed yet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, size;
    float below = 0.0f, mine;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0, rank, &comm);                         //@ split
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &size);

    mine = rank;
    if (me > 0)
        MPI_Recv(&below, 1, MPI_FLOAT, me - 1, 5, comm, MPI_STATUS_IGNORE);             //@ take
    if (me < size - 1)
        MPI_Send(&mine, 1, MPI_FLOAT, me + 1, 5, comm);                                 //@ pass

    MPI_Comm_free(&comm);
    MPI_Finalize();
    return below < 0;
}
