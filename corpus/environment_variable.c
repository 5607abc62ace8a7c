/* A variable of the environment tells how often the message goes round the ring.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the environment variables are the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    const char *wish = getenv("LAPS");
    int laps = wish != NULL ? atoi(wish) : 2;

    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
