/* A mesh of columns of processes: each packs the edge of its block for a neighbour, exchanges it, and unpacks what comes. The loops
 * are datatypes, and one of them serves both directions of a call.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 3
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     4 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 3
 *   pattern: shift of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *   pattern: shift of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 */
#include <mpi.h>
#include <stdio.h>

#define H 4
#define W 6

int main(int argc, char **argv)
{
    int rank, np;
    double u[H + 2][W + 2], to_left[H], to_right[H], from_left[H], from_right[H];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int i = 0; i < H + 2; i++)
        for (int j = 0; j < W + 2; j++)
            u[i][j] = rank + 0.01 * i + 0.1 * j;

    for (int step = 0; step < 3; step++) {
        for (int i = 1; i <= H; i++)
            to_right[i - 1] = u[i][W];
        MPI_Sendrecv(to_right, H, MPI_DOUBLE, right, 0, from_left, H, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, //@ rightwards
                     MPI_STATUS_IGNORE);
        if (left != MPI_PROC_NULL)
            for (int i = 1; i <= H; i++) //~ NOTE use-datatype: unpacks
                u[i][0] = from_left[i - 1];

        for (int i = 1; i <= H; i++)
            to_left[i - 1] = u[i][1];
        MPI_Sendrecv(to_left, H, MPI_DOUBLE, left, 1, from_right, H, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, //@ leftwards
                     MPI_STATUS_IGNORE);
        if (right != MPI_PROC_NULL)
            for (int i = 1; i <= H; i++) //~ NOTE use-datatype: unpacks
                u[i][W + 1] = from_right[i - 1];

        for (int i = 1; i <= H; i++)
            for (int j = 1; j <= W; j++)
                u[i][j] = 0.5 * u[i][j] + 0.25 * (u[i][j - 1] + u[i][j + 1]);
    }

    for (int i = 1; i <= H; i++)
        printf("rank %d row %d: %.6f %.6f\n", rank, i, u[i][1], u[i][W]);
    MPI_Finalize();
    return 0;
}
