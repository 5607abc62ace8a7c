/* Fig. 5 of the paper: the root exchanges a message with every other process, one after the other.
 *
 * In the middle of the loop the processes are the root, those that have been served, [1..i-1], and those that wait,
 * [i..np-1]. To find that invariant is what widening is for.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @ask -> @asked
 *   pattern: gather of @answer -> @answered
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, question = 6, answer;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int i = 1; i < np; i++) {
            MPI_Send(&question, 1, MPI_INT, i, 0, MPI_COMM_WORLD);                  //@ ask //~ NOTE use-collective: MPI_Bcast
            MPI_Recv(&answer, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
        }
    } else {
        MPI_Recv(&question, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
        answer = question * rank;
        MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                      //@ answer
    }

    MPI_Finalize();
    return 0;
}
