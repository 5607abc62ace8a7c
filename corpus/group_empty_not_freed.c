/* The ranks above the first four: with up to four processes there are none, the result is MPI_GROUP_EMPTY and is not freed.
 *
 * Right; near-miss of group-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int size, members;
    const int lower[4] = {0, 1, 2, 3};
    MPI_Group all, first, rest;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, size < 4 ? size : 4, lower, &first);
    MPI_Group_difference(all, first, &rest);
    MPI_Group_size(rest, &members);
    printf("%d more\n", members);
    if (rest != MPI_GROUP_EMPTY)
        MPI_Group_free(&rest);
    MPI_Group_free(&first);
    MPI_Group_free(&all);

    MPI_Finalize();
    return 0;
}
