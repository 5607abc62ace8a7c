/* Rank 0 looks at its own clock. It tells the others what it says, but not where there is none and there are only two processes:
 * then the other one waits for ever, if the clock says so.
 */
/* expect:
 *   verdict: exact for any np >= 3
 *   because: line +14: whether `MPI_Bcast` in @tell is reached depends on data that may differ between ranks (np < 3)
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static int start_time(int *seconds, MPI_Comm comm)
{
    int rank, np;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &np);
    *seconds = 0;
    if (rank == 0) {
        clock_t now = clock();
        if (now == (clock_t)-1) {
            if (np < 3)
                return 1;
            now = 0;
        }
        *seconds = (int)(now / CLOCKS_PER_SEC);
    }
    if (np > 1)
        MPI_Bcast(seconds, 1, MPI_INT, 0, comm);            //@ tell
    return 0;
}

int main(int argc, char **argv)
{
    int seconds;

    MPI_Init(&argc, &argv);
    if (start_time(&seconds, MPI_COMM_WORLD) == 0)
        printf("started after %d seconds\n", seconds);
    MPI_Finalize();
    return 0;
}
