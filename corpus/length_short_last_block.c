/* Every process but those from rank 8 on gives three numbers, and the root expects one fewer of the ninth: that shows only where there are nine.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @gather: count-mismatch
 *   collective: MPI_Gatherv @gather, root np - 1, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

#define FULL 8

int main(int argc, char **argv)
{
    int rank, np, mine[3] = {0}, *all = NULL, *lengths = NULL, *places = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == np - 1) {
        all = malloc(3 * (size_t)np * sizeof *all);
        lengths = malloc((size_t)np * sizeof *lengths);
        places = malloc((size_t)np * sizeof *places);
        for (int who = 0; who < np; who++) {
            lengths[who] = who < FULL ? 3 : 2;
            places[who] = 3 * who;
        }
    }
    MPI_Gatherv(mine, 3, MPI_INT, all, lengths, places, MPI_INT, np - 1, MPI_COMM_WORLD); //@ gather
    //~^ MUST count-mismatch: rank 8 gives 3 MPI_INT to rank 8 by `MPI_Gatherv`, which takes 2 MPI_INT
    free(all);
    free(lengths);
    free(places);
    MPI_Finalize();
    return 0;
}
