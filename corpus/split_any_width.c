/* Rows and columns of a mesh of any width by MPI_Comm_split: a ring in each row, a sum in each column. */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, me, width, sum = 0, got = 0;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Comm_split(MPI_COMM_WORLD, rank / dims[1], rank % dims[1], &row);                               //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, rank % dims[1], rank / dims[1], &column);                            //@ columns

    MPI_Comm_rank(row, &me);
    MPI_Comm_size(row, &width);
    MPI_Sendrecv(&rank, 1, MPI_INT, (me + 1) % width, 0, &got, 1, MPI_INT, (me + width - 1) % width, 0, row, MPI_STATUS_IGNORE);    //@ pass
    MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, column);                                             //@ add

    printf("%d: %d %d\n", rank, got, sum);
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
