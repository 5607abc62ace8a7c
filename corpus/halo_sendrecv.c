/* A halo exchange with MPI_Sendrecv, whose neighbours become MPI_PROC_NULL by assignments after the fact.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @upwards -> MPI_Sendrecv @upwards
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @downwards -> MPI_Sendrecv @downwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @upwards -> MPI_Sendrecv @upwards
 *   pattern: shift of MPI_Sendrecv @downwards -> MPI_Sendrecv @downwards
 */
#include <mpi.h>

#define N 50

static double u[N + 2];

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int up = rank + 1;
    int down = rank - 1;
    if (up >= np)
        up = MPI_PROC_NULL;
    if (down < 0)
        down = MPI_PROC_NULL;

    MPI_Sendrecv(&u[N], 1, MPI_DOUBLE, up, 0, &u[0], 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, //@ upwards
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, down, 0, &u[N + 1], 1, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, //@ downwards
                 MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
