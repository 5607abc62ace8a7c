/* A helper looks at data that differs between ranks and gives up with MPI_Abort where it is bad: no communication that others could
 * wait for, so that whether a rank calls the helper is its own business.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +17: the exit of the program is not taken
 *   collective: MPI_Allreduce @sum, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

static void check(double value)
{
    if (value < 0.0)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char **argv)
{
    double value, sum = 0.0;

    MPI_Init(&argc, &argv);

    value = (double) rand() / RAND_MAX;
    if (value < 0.5)
        check(value + 1.0);
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                    //@ sum

    MPI_Finalize();
    return 0;
}
