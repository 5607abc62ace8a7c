/* Even ranks send to the odd rank above, and nobody asked whether there is one: with an odd number of processes the last
 * rank sends to a rank that does not exist.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +10: whether `MPI_Send` in @give is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank % 2 == 0)
        MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                       //@ give //~ MUST invalid-rank
    else
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take

    MPI_Finalize();
    return 0;
}
