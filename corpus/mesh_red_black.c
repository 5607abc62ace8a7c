/* Red and black columns of a mesh: those in even columns give to the right first, those in odd columns take from the left first. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Ssend @red -> @red-to-black
 *     senders {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [0..-(dim_1_of_2(np)%2)+dim_1_of_2(np)-2] step 2} for dim_1_of_2(np) >= 2 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [1..-(dim_1_of_2(np)%2)+dim_1_of_2(np)-1] step 2} for dim_1_of_2(np) >= 2 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Ssend @black -> @black-to-red
 *     senders {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [1..(dim_1_of_2(np)%2)+dim_1_of_2(np)-3] step 2} for dim_1_of_2(np) >= 3 to rank + 1
 *     receivers {i*dim_1_of_2(np) + j: i in [0..dim_0_of_2(np)-1], j in [2..(dim_1_of_2(np)%2)+dim_1_of_2(np)-2] step 2} for dim_1_of_2(np) >= 3 from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ssend @red -> @red-to-black
 *   pattern: shift of MPI_Ssend @black -> @black-to-red
 *   fact: line +27 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0};
    double mine, beside = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    int width = dims[1], column = rank % width;

    mine = rank;
    if (column % 2 == 0) {
        if (column + 1 < width)
            MPI_Ssend(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                               //@ red
        if (column > 0)
            MPI_Recv(&beside, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ black-to-red
    } else {
        MPI_Recv(&beside, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //@ red-to-black
        if (column + 1 < width)
            MPI_Ssend(&mine, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                               //@ black
    }

    printf("%d: %f\n", rank, beside);
    MPI_Finalize();
    return 0;
}
