/* A master that is the last rank: it takes one result of every worker, in any order, and answers each at once.
 */
/* expect:
 *   verdict: unknown
 *   because: @score-in: a receive from any source is not followed yet
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, score, best = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    const int master = np - 1;

    if (rank == master) {
        for (int i = 0; i < np - 1; i++) {
            MPI_Recv(&score, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);              //@ score-in
            if (score > best)
                best = score;
            MPI_Send(&best, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);                     //@ best
        }
    } else {
        score = rank % 4;
        MPI_Send(&score, 1, MPI_INT, master, 0, MPI_COMM_WORLD);                                   //@ score
        MPI_Recv(&best, 1, MPI_INT, master, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                 //@ best-in
    }

    MPI_Finalize();
    return 0;
}
