/* A group is taken for each step length, and freed once, behind the loop. */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 3

int main(int argc, char **argv)
{
    int size, members;
    MPI_Group all, some;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);

    for (int step = 1; step <= STEPS; step++) {
        int ranges[1][3] = {{0, size - 1, step}};
        MPI_Group_range_incl(all, 1, ranges, &some); //~ MUST group-leak
        MPI_Group_size(some, &members);
        printf("%d of %d\n", members, size);
    }
    MPI_Group_free(&some);
    MPI_Group_free(&all);

    MPI_Finalize();
    return 0;
}
