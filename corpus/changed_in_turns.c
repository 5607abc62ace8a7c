/* Two functions that call each other: the one that is called first changes nothing by itself, but the other one does.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were not looked for
 *   channel: MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 */
#include <mpi.h>
#include <time.h>

static int distance = 1;

static void odd(int left);

static void even(int left)
{
    if (left > 0)
        odd(left - 1);
}

static void odd(int left)
{
    if (left > 100)
        distance = 2;
    even(left - 1);
}

int main(int argc, char **argv)
{
    int rank, size, in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    odd(3);
    if (time(NULL) % 2 == 0)
        even(4);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + distance) % size, 0, &in, 1, MPI_INT, (rank + size - distance) % size, 0, //@ ring
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in < 0;
}
