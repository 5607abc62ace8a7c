/* One thread at a time is announced, and all call at once.
 */
/* expect:
 *   compile-flags: -fopenmp
 *   verdict: unknown
 *   assuming: line +15: the exit of the program is not taken
 *   because: line +7: `MPI_Sendrecv` is called by several threads
 */
#include <mpi.h>

static void send_to_self(int value)
{
    int in;

    MPI_Sendrecv(&value, 1, MPI_INT, 0, value, &in, 1, MPI_INT, 0, value, MPI_COMM_SELF, MPI_STATUS_IGNORE); //~ MUST thread-level
}

int main(int argc, char **argv)
{
    int rank, sum = 0, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        send_to_self(i);
    sum = rank;
    MPI_Finalize();
    return sum < 0;
}
