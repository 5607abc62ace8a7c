/* Even and odd ranks each agree on a sum of their own, then all agree on the larger one.
 */
/* expect:
 *   verdict: unknown
 *   because: @split: `MPI_Comm_split` is not followed yet
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
