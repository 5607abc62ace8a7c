/* The two transpositions of a two-dimensional FFT: an all-to-all in each row of a mesh, then one in each column. How many rows there are is said on the command line, and they have to be equally long. */
/* expect:
 *   np: 1, 2, 3, 4
 *   trace: no, the number of rows is given on the command line
 *   verdict: exact for any np >= 1
 *   assuming: line +17: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @columns, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoall @in-row, ranks [rank - (rank % (np / atoi(argv[1])))..rank + (np / atoi(argv[1])) - (rank % (np / atoi(argv[1]))) - 1] for each of {(np / atoi(argv[1]))*i + j: i in [0..atoi(argv[1])-1], j in [0..(np / atoi(argv[1]))-1]}, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Alltoall @in-column, ranks [(rank % (np / atoi(argv[1])))..(rank % (np / atoi(argv[1]))) + atoi(argv[1])*(np / atoi(argv[1])) - (np / atoi(argv[1]))] step (np / atoi(argv[1])) for each of {(np / atoi(argv[1]))*i + j: i in [0..atoi(argv[1])-1], j in [0..(np / atoi(argv[1]))-1]}, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Alltoall @in-row, ranks [0..np-1], split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Alltoall @in-column, ranks each of [0..np-1] alone, split of MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, width, height;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int rows = argc > 1 ? atoi(argv[1]) : 1;
    if (rows < 1 || np % rows != 0) {
        fprintf(stderr, "%d processes are no %d rows\n", np, rows);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int columns = np / rows;
    MPI_Comm_split(MPI_COMM_WORLD, rank / columns, rank, &row);      //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, rank % columns, rank, &column);   //@ columns
    MPI_Comm_size(row, &width);
    MPI_Comm_size(column, &height);

    double *lines = calloc(2 * (size_t)(width + height), sizeof(double));
    double *to = lines + width + height;
    MPI_Alltoall(lines, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, row);      //@ in-row
    MPI_Alltoall(lines, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, column);   //@ in-column

    printf("%d: %f\n", rank, to[0]);
    free(lines);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
