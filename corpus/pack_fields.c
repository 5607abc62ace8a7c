/* Three fields of a fluid have a column each at the edge of a block: what lies in several arrays goes by one datatype. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     18 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 6
#define COLUMNS 5

int main(int argc, char **argv)
{
    int rank, np, k = 0;
    double density[ROWS][COLUMNS], speed[ROWS][COLUMNS], energy[ROWS][COLUMNS], edge[3 * ROWS], got[3 * ROWS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            density[i][j] = 1 + rank + 0.1 * i;
            speed[i][j] = 2 + rank + 0.01 * j;
            energy[i][j] = 3 + rank + 0.001 * i * j;
        }

    if (rank < np - 1) {
        for (int i = 0; i < ROWS; i++) //~ NOTE use-datatype: `density`, `speed` and `energy`
            edge[k++] = density[i][COLUMNS - 1];
        for (int i = 0; i < ROWS; i++)
            edge[k++] = speed[i][COLUMNS - 1];
        for (int i = 0; i < ROWS; i++)
            edge[k++] = energy[i][COLUMNS - 1];
        MPI_Send(edge, k, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank > 0) {
        MPI_Recv(got, 3 * ROWS, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int i = 0; i < 3 * ROWS; i++)
            printf("rank %d: %.3f\n", rank, got[i]);
    }
    MPI_Finalize();
    return 0;
}
