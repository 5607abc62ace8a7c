/* A record is received into one of its members, with the size of the whole.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +18: buffer-overflow
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 */
#include <mpi.h>

struct particle {
    double position[3];
    double velocity[3];
};

int main(int argc, char **argv)
{
    int rank, size;
    double position[3];
    struct particle particle = { { 0 }, { 0 } };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&particle, 6, MPI_DOUBLE, (rank + 1) % size, 0,
                 position, 6, MPI_DOUBLE, (rank + size - 1) % size, 0, //~ MUST buffer-overflow
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return position[0] > 0;
}
