/* Three sums that are none of all: one leaves its own number out, one doubles what comes, and one is of three neighbours. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace line +16 -> MPI_Sendrecv_replace line +16
 *     senders [0..np-1] for np >= 2 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 2 from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv_replace line +21 -> MPI_Sendrecv_replace line +21
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat np - 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv_replace line +16 -> MPI_Sendrecv_replace line +16
 *   pattern: ring of MPI_Sendrecv_replace line +21 -> MPI_Sendrecv_replace line +21
 *   pattern: ring of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *   pattern: ring of MPI_Sendrecv line +27 -> MPI_Sendrecv line +27
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, passing, others = 0, weighted, near, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int right = (rank + 1) % np, left = (rank - 1 + np) % np;

    passing = rank * rank;
    for (int step = 1; step < np; step++) {
        MPI_Sendrecv_replace(&passing, 1, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        others += passing;
    }
    weighted = passing = rank * rank;
    for (int step = 1; step < np; step++) {
        MPI_Sendrecv_replace(&passing, 1, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        weighted += 2 * passing;
    }
    near = rank * rank;
    MPI_Sendrecv(&rank, 1, MPI_INT, right, 2, &part, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    near += part;
    MPI_Sendrecv(&rank, 1, MPI_INT, left, 3, &part, 1, MPI_INT, right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    near += part;
    printf("%d: %d %d %d\n", rank, others, weighted, near);

    MPI_Finalize();
    return 0;
}
