/* A program that asks before it initialises and finalises MPI, as libraries must.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdio.h>

static int started_here;

static void start(int *argc, char ***argv)
{
    int running;
    MPI_Initialized(&running);
    if (!running) {
        MPI_Init(argc, argv);
        started_here = 1;
    }
}

static void stop(void)
{
    int over;
    MPI_Finalized(&over);
    if (!over && started_here)
        MPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank;

    start(&argc, &argv);
    start(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("hello\n");
    stop();
    stop();
    return 0;
}
