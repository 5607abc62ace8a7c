/* Groups of processes that the old group does not have, or has once only.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size, twice[3] = {0, 1, 0}, below[1] = {-1};
    MPI_Group all, some;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int beyond[2] = {0, size}, range[1][3] = {{0, size, 1}}, still[1][3] = {{0, size - 1, 0}};
    if (argc == 1)
        MPI_Group_incl(all, 3, twice, &some); //~ MUST invalid-rank: rank 0 is twice in the array of MPI_Group_incl
    else if (argc == 2)
        MPI_Group_excl(all, 1, below, &some); //~ MUST invalid-rank: rank number 0 of the array of MPI_Group_excl is -1
    else if (argc == 3)
        MPI_Group_incl(all, 2, beyond, &some); //~ MUST invalid-rank: rank np in the list of MPI_Group_incl is not below np
    else if (argc == 4)
        MPI_Group_range_incl(all, 1, range, &some); //~ MUST invalid-rank: rank np in the list of MPI_Group_range_incl
    else
        MPI_Group_range_excl(all, 1, still, &some); //~ MUST invalid-rank: the step of a range of MPI_Group_range_excl is 0
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
