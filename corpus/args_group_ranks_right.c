/* Groups of the first and the last process, of all but rank 3, and of every other one up to a rank that need not be reached.
 *
 * Right; near-miss of invalid-rank.
 */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int size;
    MPI_Group all, some;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    int ends[2] = {0, size - 1}, third[1] = {3}, others[1][3] = {{0, size, 2}};
    MPI_Group_incl(all, 2, ends, &some);
    MPI_Group_free(&some);
    MPI_Group_excl(all, 1, third, &some);
    MPI_Group_free(&some);
    others[0][1] = size - 1;
    MPI_Group_range_incl(all, 1, others, &some);
    MPI_Group_free(&some);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
