/* Even ranks send to the odd rank above, and nobody asked whether there is one: with an odd number of processes the last
 * rank sends to a rank that does not exist.
 */
/* expect:
 *   verdict: exact for any np >= 2
 *   channel: @give -> @take
 *     senders [0..2*(np / 2)-2] step 2 for even np >= 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 for even np >= 2 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
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
