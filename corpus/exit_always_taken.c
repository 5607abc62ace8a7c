/* The program is built without the part that it needs, says so and ends, on every machine. With `-v` it tells its version and ends earlier. What
 * the rest would exchange is not reached, so that nothing is known of it.
 */
/* expect:
 *   np: >= 1
 *   run: no, it aborts
 *   verdict: unknown
 *   assuming: line +21: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   because: line +21: the program always ends here, so that what follows is not reached (line +24)
 *   because: every path ends the program early (np = 2)
 *   because: every path ends the program early (np = 3)
 *   because: every path ends the program early (np = 4)
 *   because: every path ends the program early (np = 5)
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*const backend)(void) = NULL;

int main(int argc, char **argv)
{
    int rank, np, token = 0;

    if (argc == 2 && strcmp(argv[1], "-v") == 0) {
        puts("1.0");
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (!backend) {
        fputs("no backend\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
    if (rank == 0 && np > 1)
        MPI_Send(&token, 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
