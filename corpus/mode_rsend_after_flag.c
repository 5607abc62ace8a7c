/* The second rank starts its receive and sets a flag in a window, for which the first one looks until it is there: then it may send ready.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   channel: MPI_Rsend @give -> MPI_Irecv @take
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_create line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +28, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, flag = 0, seen = 0, one = 1, mine = 7, theirs = 7;
    MPI_Win window;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&flag, sizeof flag, sizeof flag, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 1) {
        MPI_Irecv(&theirs, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);             //@ take
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_unlock(0, window);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0) {
        while (!seen) {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
            MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_NO_OP, window);
            MPI_Win_unlock(0, window);
        }
        MPI_Rsend(&mine, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);                         //@ give
        //~^ NOTE invalid-rank: partner 1
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return theirs != 7;
}
