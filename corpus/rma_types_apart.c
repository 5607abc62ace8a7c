/* Two operations of one epoch at one displacement, whose datatypes share no element. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +19, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int window[8] = {0}, ones[4] = {1, 1, 1, 1}, got[4], some_at[4] = {0, 3, 4, 6}, rest_at[4] = {1, 2, 5, 7};
    MPI_Datatype some, rest;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Type_create_indexed_block(4, 1, some_at, MPI_INT, &some);
    MPI_Type_create_indexed_block(4, 1, rest_at, MPI_INT, &rest);
    MPI_Type_commit(&some);
    MPI_Type_commit(&rest);
    MPI_Win_create(window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Accumulate(ones, 4, MPI_INT, 0, 0, 1, some, MPI_SUM, win);
    MPI_Get(got, 4, MPI_INT, 0, 0, 1, rest, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&some);
    MPI_Type_free(&rest);
    MPI_Finalize();
    return got[0];
}
