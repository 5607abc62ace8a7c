/* A halo exchange over an array of neighbours, with MPI_PROC_NULL where there is none, and one loop for both sides.
 *
 * Side 0 is the left one, side 1 the right one: what goes out on one side comes in on the other.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     12 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     12 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @give -> MPI_Irecv @take
 *   pattern: shift of MPI_Isend @give -> MPI_Irecv @take
 */
#include <mpi.h>

#define N 12

int main(int argc, char **argv)
{
    int rank, np;
    double edge[2][N] = {{0}}, halo[2][N];
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int neighbour[2] = {rank - 1, rank + 1};
    if (neighbour[0] < 0)
        neighbour[0] = MPI_PROC_NULL;
    if (neighbour[1] == np)
        neighbour[1] = MPI_PROC_NULL;

    for (int side = 0; side < 2; side++) {
        MPI_Irecv(halo[side], N, MPI_DOUBLE, neighbour[side], 1 - side, MPI_COMM_WORLD, &requests[side]);     //@ take
        MPI_Isend(edge[side], N, MPI_DOUBLE, neighbour[side], side, MPI_COMM_WORLD, &requests[2 + side]);     //@ give
    }
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
