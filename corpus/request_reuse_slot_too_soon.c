/* Two slots are used in turn, and the wait for a slot begins one step too late: step 2 overwrites the request of step 0. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +17 -> line +18
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 6
 *   pattern: ring of MPI_Isend line +17 -> line +18
 */
#include <mpi.h>

#define STEPS 6

int main(int argc, char **argv)
{
    int rank, size, out[STEPS] = {0}, in;
    MPI_Request slots[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int step = 0; step < STEPS; step++) {
        if (step > 2)
            MPI_Wait(&slots[step % 2], MPI_STATUS_IGNORE);
        MPI_Isend(&out[step], 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &slots[step % 2]); //~ MUST request-reuse
        MPI_Recv(&in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2, slots, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
