/* Three rings that are no allgather: one is a step too short, one passes on the block that it began with, and one puts what comes in the
 * order in which it comes.
 */
/* expect:
 *   verdict: exact for np = 1..64
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [0..np-1] for np >= 3 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 3 from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv line +24 -> MPI_Sendrecv line +24
 *     senders [0..np-1] for np >= 2 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 2 from (rank - 1 + np) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv line +28 -> MPI_Sendrecv line +28
 *     senders [0..np-1] for np >= 2 to (rank + 1) % np
 *     receivers [0..np-1] for np >= 2 from (rank - 1 + np) % np
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *   pattern: ring of MPI_Sendrecv line +24 -> MPI_Sendrecv line +24
 *   pattern: ring of MPI_Sendrecv line +28 -> MPI_Sendrecv line +28
 */
#include <mpi.h>
#include <stdio.h>

#define MOST 64

int main(int argc, char **argv)
{
    int rank, np, shortened[MOST] = {0}, own[MOST] = {0}, arrived[MOST] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int right = (rank + 1) % np, left = (rank - 1 + np) % np;

    shortened[rank] = rank;
    for (int step = 1; step < np - 1; step++)
        MPI_Sendrecv(&shortened[(rank - step + 1 + np) % np], 1, MPI_INT, right, 0,
                     &shortened[(rank - step + np) % np], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    own[rank] = rank;
    for (int step = 1; step < np; step++)
        MPI_Sendrecv(&own[rank], 1, MPI_INT, right, 1, &own[(rank - step + np) % np], 1, MPI_INT, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    arrived[0] = rank;
    for (int step = 1; step < np; step++)
        MPI_Sendrecv(&arrived[step - 1], 1, MPI_INT, right, 2, &arrived[step], 1, MPI_INT, left, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int i = 0; i < np; i++)
        printf("%d: %d %d %d\n", rank, shortened[i], own[i], arrived[i]);

    MPI_Finalize();
    return 0;
}
