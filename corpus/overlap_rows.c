/* Rows at the edges of blocks of a mesh are exchanged with the neighbours above and below. Most of the block, and the sum over what
 * was there before, do not need the rows that come.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @upwards -> MPI_Sendrecv @upwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     12 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @downwards -> MPI_Sendrecv @downwards
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     12 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @upwards -> MPI_Sendrecv @upwards
 *   pattern: shift of MPI_Sendrecv @downwards -> MPI_Sendrecv @downwards
 */
#include <mpi.h>
#include <math.h>
#include <stdio.h>

#define H 8
#define W 12

static double u[H + 2][W], v[H + 2][W];

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int i = 0; i < H + 2; i++)
        for (int j = 0; j < W; j++)
            u[i][j] = rank + i * 0.25 + j;

    MPI_Sendrecv(u[1], W, MPI_DOUBLE, up, 0, u[H + 1], W, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ upwards
    //~^ NOTE overlap-communication
    MPI_Sendrecv(u[H], W, MPI_DOUBLE, down, 1, u[0], W, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ downwards

    double total = 0;
    for (int i = 2; i <= H - 1; i++)
        for (int j = 1; j < W - 1; j++) {
            v[i][j] = sqrt(u[i - 1][j] + u[i + 1][j]) + u[i][j - 1] + u[i][j + 1];
            total += v[i][j];
        }
    for (int j = 1; j < W - 1; j++) {
        v[1][j] = sqrt(u[0][j] + u[2][j]) + u[1][j - 1] + u[1][j + 1];
        v[H][j] = sqrt(u[H - 1][j] + u[H + 1][j]) + u[H][j - 1] + u[H][j + 1];
        total += v[1][j] + v[H][j];
    }

    printf("rank %d: %.9f\n", rank, total);
    MPI_Finalize();
    return 0;
}
