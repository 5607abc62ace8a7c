/* Ranks without work go home early, and miss the sum that everybody has to take part in.
 *
 * There is work for three ranks, so the program is right for up to three processes.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allreduce line +18, ranks [0..np-1] for np = 1..3, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define TASKS 3

int main(int argc, char **argv)
{
    int rank;
    double mine, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank >= TASKS) {
        MPI_Finalize();
        return 0;
    }
    mine = 1.0 / (rank + 1);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);              //~ MUST missing-collective

    MPI_Finalize();
    return 0;
}
