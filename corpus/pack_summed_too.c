/* The list that is packed for a message is summed up, too: it is needed, and the loop stays as it is.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     5 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 5
#define COLUMNS 4

int main(int argc, char **argv)
{
    int rank, np;
    long u[ROWS][COLUMNS], column[ROWS], sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[i][j] = rank + 10 * i + j;

    if (rank < np - 1) {
        for (int i = 0; i < ROWS; i++) //~ NOTE use-datatype: MPI_Type_vector
            column[i] = u[i][1];
        MPI_Send(column, ROWS, MPI_LONG, rank + 1, 0, MPI_COMM_WORLD);                       //@ give
        for (int i = 0; i < ROWS; i++)
            sum += column[i];
    }
    if (rank > 0)
        MPI_Recv(column, ROWS, MPI_LONG, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take

    printf("rank %d: %ld\n", rank, sum);
    MPI_Finalize();
    return 0;
}
