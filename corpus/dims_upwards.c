/* A mesh of which MPI says only how wide it is: where a process is, and who is above it, the program computes itself.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders {dim_1_of_2(np)*i + j: i in [1..dim_0_of_2(np)-1], j in [0..dim_1_of_2(np)-1]} to rank - dim_1_of_2(np)
 *     receivers {dim_1_of_2(np)*i + j: i in [0..dim_0_of_2(np)-2], j in [0..dim_1_of_2(np)-1]} from rank + dim_1_of_2(np)
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0};
    double value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);

    int width = dims[1], row = rank / width;
    if (row < dims[0] - 1)
        MPI_Recv(&value, 1, MPI_DOUBLE, rank + width, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);            //@ take
    value += rank;
    if (row > 0)
        MPI_Send(&value, 1, MPI_DOUBLE, rank - width, 0, MPI_COMM_WORLD);                               //@ give

    printf("%d: %f\n", rank, value);
    MPI_Finalize();
    return 0;
}
