/* MPI_COMM_WORLD has no topology, so nobody has neighbours in it. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +8: how many bytes MPI_Neighbor_alltoall accesses of its buffer is not known
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double mine[2] = {0}, theirs[2] = {0};

    MPI_Init(&argc, &argv);
    MPI_Neighbor_alltoall(mine, 1, MPI_DOUBLE, theirs, 1, MPI_DOUBLE, MPI_COMM_WORLD); //~ MUST invalid-communicator: topology
    MPI_Finalize();
    return 0;
}
