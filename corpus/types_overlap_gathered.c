/* The root gathers rows by a datatype whose rows begin one number behind each other. */
/* expect:
 *   verdict: exact for np = 1..64
 *   collective: MPI_Gather line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define ROWS 3
#define LENGTH 4

int main(int argc, char **argv)
{
    int rank, size;
    float mine[ROWS * LENGTH] = {0}, all[ROWS * LENGTH * 64];
    MPI_Datatype rows;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 64)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Type_vector(ROWS, LENGTH, 1, MPI_FLOAT, &rows);
    MPI_Type_commit(&rows);
    MPI_Gather(mine, ROWS * LENGTH, MPI_FLOAT, all, 1, rows, 0, MPI_COMM_WORLD);   //~ MUST datatype-overlap: two entries at byte 4
    MPI_Type_free(&rows);

    MPI_Finalize();
    return 0;
}
