/* The last column of a matrix goes to the next process: a loop packs it into a list first, and the receiver unpacks it. A datatype does
 * both in one call each.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 6
#define COLUMNS 5

int main(int argc, char **argv)
{
    int rank, np, i;
    double u[ROWS][COLUMNS], column[ROWS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[i][j] = 100 * rank + 10 * i + j;

    if (rank < np - 1) {
        for (i = 0; i < ROWS; i++) //~ NOTE use-datatype: packs elements of `u` into `column`
            column[i] = u[i][COLUMNS - 2];
        MPI_Send(column, ROWS, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                         //@ give
    }
    if (rank > 0) {
        double ghosts[ROWS];

        MPI_Recv(ghosts, ROWS, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ take
        for (int row = 0; row < ROWS; row++) //~ NOTE use-datatype: unpacks what is received from `ghosts` into `u`
            u[row][0] = ghosts[row];
    }

    for (i = 0; i < ROWS; i++)
        printf("rank %d row %d: %g ... %g\n", rank, i, u[i][0], u[i][COLUMNS - 1]);
    MPI_Finalize();
    return 0;
}
