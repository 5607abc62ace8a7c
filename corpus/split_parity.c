/* Even and odd ranks each agree on a sum of their own, then all agree on the larger one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..2*(np / 2)-2] step 2 for even np >= 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [1..2*(np / 2)-1] step 2 for np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce @largest, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..2*(np / 2)] step 2 for odd np >= 3, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..0] for np = 1..2, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [1..1] for np = 2, split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double mine, sum, largest;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    mine = rank * rank;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &comm);                                 //@ split
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);                           //@ sum
    MPI_Comm_free(&comm);

    MPI_Reduce(&sum, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);              //@ largest
    if (rank == 0)
        printf("%g\n", largest);

    MPI_Finalize();
    return 0;
}
