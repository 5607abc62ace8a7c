/* With more processes than rows, three of the four datatypes that one function makes have no elements, so they look alike; each is freed
 * once.
 *
 * Right; near-miss of double-free and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

#define ROWS 3
#define COLUMNS 2

static MPI_Datatype part(int rows, int columns)
{
    MPI_Datatype row, block;
    MPI_Type_contiguous(columns, MPI_FLOAT, &row);
    MPI_Type_contiguous(rows, row, &block);
    MPI_Type_commit(&block);
    MPI_Type_free(&row);
    return block;
}

int main(int argc, char **argv)
{
    int size, rows[2], columns[2];
    MPI_Datatype parts[2][2];

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > ROWS) {
        rows[0] = ROWS / size;
        rows[1] = ROWS - (size - 1) * rows[0];
        columns[0] = COLUMNS / size;
        columns[1] = COLUMNS - (size - 1) * columns[0];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                parts[i][j] = part(rows[i], columns[j]);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                MPI_Type_free(&parts[i][j]);
    }
    MPI_Finalize();
    return 0;
}
