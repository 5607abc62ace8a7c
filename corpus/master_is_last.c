/* A master that is the last rank: it takes one result of every worker, in any order, and answers each at once.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @best -> @best-in
 *     senders [np-1..np-1] to each of [0..np-2]
 *     receivers [0..np-2] from np - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @score -> @score-in
 *     senders [0..np-2] to np - 1
 *     receivers [np-1..np-1] from each of [0..np-2]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @best -> @best-in
 *   pattern: gather of @score -> @score-in
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
