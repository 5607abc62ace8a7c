/* The group of the first half is freed one line too early, before the communicator is made from the copy of its handle. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_create line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct half {
    MPI_Group group;
    MPI_Comm comm;
};

int main(int argc, char **argv)
{
    int size;
    struct half half;
    MPI_Group all, lower;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int ranges[1][3] = {{0, (size - 1) / 2, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, ranges, &lower);
    half.group = lower;
    MPI_Group_free(&all);
    MPI_Group_free(&lower);
    MPI_Comm_create(MPI_COMM_WORLD, half.group, &half.comm); //~ MUST use-after-free
    if (half.comm != MPI_COMM_NULL)
        MPI_Comm_free(&half.comm);

    MPI_Finalize();
    return 0;
}
