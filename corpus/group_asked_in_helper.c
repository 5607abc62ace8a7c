/* A helper translates a rank and frees both groups that it needs for that; it is called in a loop and returns from the middle too.
 *
 * Right; near-miss of group-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split line +26, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static int rank_in_world(MPI_Comm comm, int rank)
{
    int translated;
    MPI_Group ours, all;

    if (comm == MPI_COMM_WORLD)
        return rank;
    MPI_Comm_group(comm, &ours);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_translate_ranks(ours, 1, &rank, all, &translated);
    MPI_Group_free(&ours);
    MPI_Group_free(&all);
    return translated;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
    MPI_Comm_size(part, &size);
    for (int i = 0; i < size; i++)
        printf("%d is %d\n", i, rank_in_world(part, i));
    printf("%d is %d\n", rank, rank_in_world(MPI_COMM_WORLD, rank));
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
