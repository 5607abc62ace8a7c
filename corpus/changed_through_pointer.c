/* A function that is called through a pointer changes how far a ring reaches; which one it is depends on the clock, and where.
 */
/* expect:
 *   verdict: unknown
 *   because: @ring: the partner of `MPI_Sendrecv` is not known
 */
#include <mpi.h>
#include <time.h>

static int distance;

static void near(void)
{
    distance = 1;
}

static void also_near(void)
{
    distance = 1;
}

static void prepare(void (*how)(void))
{
    how();
}

int main(int argc, char **argv)
{
    int rank, size, in = 0;
    void (*ways[2])(void) = {near, also_near};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    distance = 1;
    if (time(NULL) > 10)
        prepare(ways[time(NULL) % 2]);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + distance) % size, 0, &in, 1, MPI_INT, (rank + size - distance) % size, 0, //@ ring
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in < 0;
}
