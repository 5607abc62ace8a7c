/* The root has a row for each process, and sends it: a scatter.
 */
/* expect:
 *   verdict: exact for np = 1..64
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     3 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define MOST 64
#define WIDTH 3

int main(int argc, char **argv)
{
    int rank, np;
    int rows[MOST][WIDTH], row[WIDTH] = {-1, -1, -1};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);

    if (rank == 0) {
        for (int i = 0; i < np; i++)
            for (int k = 0; k < WIDTH; k++)
                rows[i][k] = 10 * i + k;
        for (int to = 1; to < np; to++)
            MPI_Send(rows[to], WIDTH, MPI_INT, to, 0, MPI_COMM_WORLD);                 //@ give //~ NOTE use-collective: MPI_Scatter
    } else {
        MPI_Recv(row, WIDTH, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take
    }

    printf("rank %d: %d %d %d\n", rank, row[0], row[1], row[2]);
    MPI_Finalize();
    return 0;
}
