/* Rank 0 looks at its own clock. Where it is alone it returns at once when there is none; with others it tells them first.
 *
 * What the clock says nobody else knows, but with others around it keeps rank 0 from nothing.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
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
            if (np == 1)
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
