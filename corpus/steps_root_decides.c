/* A loop that goes on as long as rank 0 says so: its decision depends on its own data and is broadcast in each round.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce @sum, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast @decide, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, go_on;
    double error = 1.0, part, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    do {
        part = error / (rank + 2);
        MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);     //@ sum
        if (rank == 0) {
            error = error / 3 + 1e-6 * sum;
            go_on = error > 1e-3;
        }
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);                       //@ decide
    } while (go_on);

    MPI_Finalize();
    return np < 1;
}
