/* With an even number of processes the chosen group is that of all under a second name, and freed under both. */
/* expect:
 *   np: 2, 4, 6, 8
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, members;
    MPI_Group all, chosen;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (size % 2 == 0) {
        chosen = all;
    } else {
        int last = size - 1;
        MPI_Group_excl(all, 1, &last, &chosen);
    }
    MPI_Group_size(chosen, &members);
    printf("%d of %d\n", members, size);
    MPI_Group_free(&all);
    MPI_Group_free(&chosen); //~ MUST double-free

    MPI_Finalize();
    return 0;
}
