/* Each rank keeps one of two groups under a second name and frees the groups by their first: one free for each, none by alias.
 *
 * Right; near-miss of group-leak and double-free.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +18: the group of a new communicator is not known
 *   because: the channels shown are those of np = 5
 *   collective: MPI_Comm_create_group line +18, ranks [0..4] step 2, call by the members of a group of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +23, ranks [0..4] step 2, part of call by the members of a group of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create_group line +18, ranks [1..3] step 2, call by the members of a group of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +23, ranks [1..3] step 2, part of call by the members of a group of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Group all, even, odd, mine;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int ranges[1][3] = {{0, size - 1, 2}};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, ranges, &even);
    MPI_Group_range_excl(all, 1, ranges, &odd);
    mine = rank % 2 == 0 ? even : odd;
    MPI_Comm_create_group(MPI_COMM_WORLD, mine, rank % 2, &comm);
    MPI_Group_free(&all);
    MPI_Group_free(&even);
    if (odd != MPI_GROUP_EMPTY)
        MPI_Group_free(&odd);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&comm);

    MPI_Finalize();
    return 0;
}
