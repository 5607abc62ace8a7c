/* The transposition of a square of processes: row i, column j exchanges with row j, column i. */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: exact for any np >= 1
 *   assuming: np == dim_0_of_2(np)*dim_0_of_2(np)
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} to dim_0_of_2(np)*j + i
 *     receivers {dim_0_of_2(np)*i + j: i in [0..dim_0_of_2(np)-1], j in [0..dim_0_of_2(np)-1]} from dim_0_of_2(np)*j + i
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0};
    double mine, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    if (dims[0] != dims[1]) {
        fprintf(stderr, "%d processes are no square\n", np);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int n = dims[0], row = rank / n, column = rank % n, partner = column * n + row;
    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 0, &other, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ swap

    printf("%d: %f\n", rank, other);
    MPI_Finalize();
    return 0;
}
