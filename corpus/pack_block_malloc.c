/* A block of a matrix goes to the last process, packed row by row into memory that is taken for it: a datatype sends the block from
 * where it is, and the memory is not needed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] for np >= 2 to np - 1
 *     receivers [np-1..np-1] for np >= 2 from 0
 *     12 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 8

int main(int argc, char **argv)
{
    int rank, np, height = 3, width = 4, row = 10;
    int *grid, *block;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    grid = malloc(MOST * row * sizeof(int));
    block = malloc(height * width * sizeof *block);
    if (grid == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < MOST * row; i++)
        grid[i] = i * (rank + 1);

    if (rank == 0 && np > 1) {
        int k = 0;

        for (int i = 1; i <= height; i++) //~ NOTE use-datatype: MPI_Type_vector
            for (int j = 0; j < width; j++)
                block[k++] = grid[i * row + j + 2];
        MPI_Send(block, height * width, MPI_INT, np - 1, 0, MPI_COMM_WORLD);   //@ give
    } else if (rank == np - 1 && np > 1) {
        int got[3 * 4];

        MPI_Recv(got, 12, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ take
        printf("rank %d: %d %d %d\n", rank, got[0], got[5], got[11]);
    }

    free(block);
    free(grid);
    MPI_Finalize();
    return 0;
}
