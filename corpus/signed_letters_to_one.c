/* All others write to rank 1, each with its own rank as the tag.
 *
 * expect:
 *   np: >= 2
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int me, procs, letter = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (me == 1) {
        for (int from = procs - 1; from >= 0; from--)
            if (from != 1)
                MPI_Recv(&letter, 1, MPI_INT, from, from, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (procs > 1) {
        MPI_Send(&letter, 1, MPI_INT, 1, me, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
