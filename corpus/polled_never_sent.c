/* Rank 0 polls for a message that rank 1 forgets to send: nobody is blocked in a call, and the program never ends.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: some processes may ask for ever for what does not come
 *   because: the channels shown are those of np = 5
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, there = 0, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank == 0) {
        while (!there)
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); //~ MUST deadlock
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
