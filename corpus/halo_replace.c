/* A line of processes shifts its blocks one place to the right in each step, in place; the first keeps what it sent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @shift -> MPI_Sendrecv_replace @shift
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     20 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 3
 *   pattern: shift of MPI_Sendrecv_replace @shift -> MPI_Sendrecv_replace @shift
 */
#include <mpi.h>

#define N 20
#define STEPS 3

int main(int argc, char **argv)
{
    int rank, np;
    float block[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++)
        block[i] = rank;
    int right = rank == np - 1 ? MPI_PROC_NULL : rank + 1;
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;

    for (int step = 0; step < STEPS; step++)
        MPI_Sendrecv_replace(block, N, MPI_FLOAT, right, 0, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ shift

    MPI_Finalize();
    return 0;
}
