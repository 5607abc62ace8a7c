/* Parts of parts: each part is freed when the next is made from it, except for MPI_COMM_WORLD that it began with.
 *
 * Right; near-miss of communicator-leak, use-after-free and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [0..2*(np / 2)] step 2, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [1..2*(np / 2)-1] step 2, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [0..4*((np / 2) / 2)] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [2..4*((np / 2) / 2)+2] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [1..4*((np / 2) / 2)+1] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [3..4*((np / 2) / 2)-1] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [0..8*(((np / 2) / 2) / 2)] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [4..8*(((np / 2) / 2) / 2)-4] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [2..8*(((np / 2) / 2) / 2)+2] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [6..8*(((np / 2) / 2) / 2)-2] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [1..8*(((np / 2) / 2) / 2)+1] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [5..8*(((np / 2) / 2) / 2)-3] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [3..8*(((np / 2) / 2) / 2)-5] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [7..8*(((np / 2) / 2) / 2)-1] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [0..2*(np / 2)-2] step 2, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [2..4*((np / 2) / 2)-2] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [2..8*(((np / 2) / 2) / 2)-6] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [1..4*((np / 2) / 2)-3] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [1..8*(((np / 2) / 2) / 2)-7] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Comm_split line +15, ranks [0..4*((np / 2) / 2)-4] step 4, split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [0..8*(((np / 2) / 2) / 2)-8] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [4..8*(((np / 2) / 2) / 2)+4] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [6..8*(((np / 2) / 2) / 2)+6] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [5..8*(((np / 2) / 2) / 2)+5] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [3..8*(((np / 2) / 2) / 2)+3] step 8, split of split of split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce line +20, ranks [4..4] for np = 5..11, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [6..6] for np = 7..11, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [5..5] for np = 6..11, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [3..3] for np = 4..11, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [7..7] for np = 8..11, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [2..2] for np = 3..10, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [1..1] for np = 2..9, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [0..0] for np = 1..8, split of split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [3..3] for np = 4..7, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [2..2] for np = 3..5, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [1..1] for np = 2..5, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [0..0] for np = 1..4, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split line +15, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define LEVELS 3

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm part = MPI_COMM_WORLD;

    MPI_Init(&argc, &argv);

    for (int level = 0; level < LEVELS; level++) {
        MPI_Comm next;
        MPI_Comm_rank(part, &rank);
        MPI_Comm_split(part, rank % 2, rank, &next);
        if (part != MPI_COMM_WORLD)
            MPI_Comm_free(&part);
        part = next;
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    MPI_Comm_free(&part);

    MPI_Finalize();
    return 0;
}
