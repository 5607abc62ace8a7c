/* SUMMA on a mesh of processes whose rows and columns are communicators by MPI_Comm_split: in each step one column tells its rows, and
 * one row its columns.
 */
/* expect:
 *   np: 4, 8, 16
 *   verdict: exact for any even np >= 2
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @columns, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @along, root unknown, ranks [rank - (rank % 2)..rank - (rank % 2) + 1] for each of {2*i + j: i in [0..(np / 2)-1], j in [0..1]} for np >= 4, split of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @across, root unknown, ranks [0..2*(np / 2)-2] step 2 for np >= 4, split of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @across, root unknown, ranks [1..2*(np / 2)-1] step 2 for np >= 4, split of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @along, root unknown, ranks [0..1] for np = 2, split of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @across, root 0, ranks [0..0] for np = 2, split of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Bcast @across, root 0, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, cols = 2;
    double a = 1, b = 2, c = 0;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % cols != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int i = rank / cols, j = rank % cols, rows = np / cols;
    MPI_Comm_split(MPI_COMM_WORLD, i, j, &row);    //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, j, i, &column); //@ columns
    for (int k = 0; k < cols; k++) {
        double left = a, above = b;
        MPI_Bcast(&left, 1, MPI_DOUBLE, k, row);            //@ along
        MPI_Bcast(&above, 1, MPI_DOUBLE, k % rows, column); //@ across
        c += left * above;
    }
    printf("rank %d: %g\n", rank, c);

    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
