/* MPI_Comm_disconnect ends a communicator as MPI_Comm_free does, and a new one may take its variable.
 *
 * Right; near-miss of communicator-leak and use-after-free.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +12: processes of one colour are not neighbours in rank
 *   because: the channels shown are those of np = 5
 *   collective: MPI_Comm_split line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Barrier line +13, ranks [0..4] step 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +13, ranks [1..3] step 2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +13, ranks [0..3] step 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +13, ranks [1..4] step 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +13, ranks [2..2], split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int round = 0; round < 2; round++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % (round + 2), rank, &comm);
        MPI_Barrier(comm);
        MPI_Comm_disconnect(&comm);
    }

    MPI_Finalize();
    return 0;
}
