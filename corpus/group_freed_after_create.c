/* Both groups are freed as soon as the communicator has been made from them, which does not need them any more.
 *
 * Right; near-miss of group-leak, communicator-leak and use-after-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_create line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +19, ranks [0..((np-1) / 2)], part of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, sum = 0, one = 1;
    MPI_Group all, lower;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    int ranges[1][3] = {{0, (size - 1) / 2, 1}};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, ranges, &lower);
    MPI_Group_free(&all);
    MPI_Comm_create(MPI_COMM_WORLD, lower, &comm);
    MPI_Group_free(&lower);
    if (comm != MPI_COMM_NULL) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Comm_free(&comm);
    }

    MPI_Finalize();
    return 0;
}
