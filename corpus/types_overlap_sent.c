/* Averages over three neighbours each: the sender sends every number as often as somebody needs it, with a datatype that overlaps.
 *
 * Right; near-miss of datatype-overlap, which is about what is written.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +21 -> MPI_Sendrecv line +21
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 31 (12 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +21 -> MPI_Sendrecv line +21
 */
#include <mpi.h>
#include <stdio.h>

#define N 6
#define WIDTH 3

int main(int argc, char **argv)
{
    int rank, size;
    double series[N], parts[(N - WIDTH + 1) * WIDTH], sum = 0;
    MPI_Datatype sliding;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        series[i] = rank + i;

    MPI_Type_vector(N - WIDTH + 1, WIDTH, 1, MPI_DOUBLE, &sliding);
    MPI_Type_commit(&sliding);
    MPI_Sendrecv(series, 1, sliding, (rank + 1) % size, 0,
                 parts, (N - WIDTH + 1) * WIDTH, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&sliding);
    for (int i = 0; i < (N - WIDTH + 1) * WIDTH; i++)
        sum += parts[i];
    printf("%d: %.1f\n", rank, sum);

    MPI_Finalize();
    return 0;
}
