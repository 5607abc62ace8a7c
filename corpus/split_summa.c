/* The rounds of a matrix product on a mesh: in round k the k-th process of each row gives its part of one matrix to the row, and the k-th
 * of each column its part of the other to the column.
 */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: exact for any np >= 1
 *   assuming: np == dim_0_of_2(np)*dim_0_of_2(np)
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @columns, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @along, root unknown, ranks [rank - (rank % dim_0_of_2(np))..rank + dim_0_of_2(np) - (rank % dim_0_of_2(np)) - 1] for each of {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]}, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @down, root unknown, ranks [(rank % dim_0_of_2(np))..(rank % dim_0_of_2(np)) + dim_0_of_2(np)*dim_0_of_2(np) - dim_0_of_2(np)] step dim_0_of_2(np) for each of {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]}, split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @along, root 0, ranks [0..0], split of MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @down, root 0, ranks [0..0], split of MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0};
    double a, b, c = 0;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    if (dims[0] != dims[1])
        MPI_Abort(MPI_COMM_WORLD, 1);
    int n = dims[0], i = rank / n, j = rank % n;
    MPI_Comm_split(MPI_COMM_WORLD, i, j, &row);                                                         //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, j, i, &column);                                                      //@ columns

    for (int k = 0; k < n; k++) {
        a = j == k ? rank : 0;
        b = i == k ? rank : 0;
        MPI_Bcast(&a, 1, MPI_DOUBLE, k, row);                                                           //@ along
        MPI_Bcast(&b, 1, MPI_DOUBLE, k, column);                                                        //@ down
        c += a * b;
    }

    printf("%d: %f\n", rank, c);
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
