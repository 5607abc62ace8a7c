/* Flags that are constants on each rank, reduced: whether all are done, and whether somebody is not, is known without a run.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce @done, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Allreduce @last, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, round = 0, done = 0, last, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    while (!done) {
        done = round == 2;
        MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);           //@ done
        round++;
    }
    MPI_Allreduce(&round, &last, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);                      //@ last
    if (last == 3)
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);                                   //@ spread
    else if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
