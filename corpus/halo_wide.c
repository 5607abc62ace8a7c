/* A halo two ranks wide: every rank exchanges with the ranks at distance one and two, as far as they exist.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-below -> MPI_Irecv @from-above
 *     senders [1..np-1] to each of [rank-2..rank-1] within [0..np-2]
 *     receivers [0..np-2] from each of [rank+1..rank+2] within [1..np-1]
 *     1 MPI_LONG, tag sender - receiver, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to-above -> MPI_Irecv @from-below
 *     senders [0..np-2] to each of [rank+1..rank+2] within [1..np-1]
 *     receivers [1..np-1] from each of [rank-2..rank-1] within [0..np-2]
 *     1 MPI_LONG, tag receiver - sender, MPI_COMM_WORLD, repeat 1
 *   pattern: band of MPI_Isend @to-below -> MPI_Irecv @from-above
 *   pattern: band of MPI_Isend @to-above -> MPI_Irecv @from-below
 */
#include <mpi.h>

#define REACH 2

int main(int argc, char **argv)
{
    int rank, np, n = 0;
    long mine = 5, below[REACH + 1], above[REACH + 1];
    MPI_Request requests[4 * REACH];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int d = 1; d <= REACH; d++) {
        if (rank - d >= 0) {
            MPI_Irecv(&below[d], 1, MPI_LONG, rank - d, d, MPI_COMM_WORLD, &requests[n++]);  //@ from-below
            MPI_Isend(&mine, 1, MPI_LONG, rank - d, d, MPI_COMM_WORLD, &requests[n++]);      //@ to-below
        }
        if (rank + d < np) {
            MPI_Irecv(&above[d], 1, MPI_LONG, rank + d, d, MPI_COMM_WORLD, &requests[n++]);  //@ from-above
            MPI_Isend(&mine, 1, MPI_LONG, rank + d, d, MPI_COMM_WORLD, &requests[n++]);      //@ to-above
        }
    }
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
