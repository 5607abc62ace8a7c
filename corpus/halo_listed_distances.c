/* Each rank gives its value to those at the distances of a table; at the end of the row there is nobody.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-5] to rank + 4
 *     receivers [4..np-1] from rank - 4
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-10] to rank + 9
 *     receivers [9..np-1] from rank - 9
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   fact: line +25 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

#define DISTANCES 3

static const int distance[DISTANCES] = {1, 4, 9};

int main(int argc, char **argv)
{
    int rank, np, value, sum, got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    sum = value = rank * rank;
    for (int i = 0; i < DISTANCES; i++) {
        int to = rank + distance[i] < np ? rank + distance[i] : MPI_PROC_NULL;
        int from = rank >= distance[i] ? rank - distance[i] : MPI_PROC_NULL;

        got = 0;
        MPI_Sendrecv(&value, 1, MPI_INT, to, i, &got, 1, MPI_INT, from, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ swap
        sum += got;
    }
    printf("%d: %d\n", rank, sum);

    MPI_Finalize();
    return 0;
}
