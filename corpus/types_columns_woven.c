/* A matrix is received column by column: each column reaches over all rows, and the next one begins one number behind it.
 *
 * Right; near-miss of datatype-overlap: the extent is less than what a column takes up, but no two columns share a number.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     12 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +23 -> MPI_Sendrecv line +23
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 4
#define COLUMNS 3

int main(int argc, char **argv)
{
    int rank, size;
    int mine[COLUMNS][ROWS], theirs[ROWS][COLUMNS];
    MPI_Datatype tall, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            mine[i][j] = ROWS * i + j;

    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &tall);
    MPI_Type_create_resized(tall, 0, sizeof(int), &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(mine, ROWS * COLUMNS, MPI_INT, (rank + 1) % size, 0,
                 theirs, COLUMNS, column, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Type_free(&tall);
    printf("%d: %d\n", rank, theirs[1][2]);

    MPI_Finalize();
    return 0;
}
