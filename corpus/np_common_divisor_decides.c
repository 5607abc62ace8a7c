/* Euclid's algorithm tells whether there are as many processes as can be dealt out in tens without a rest in common: then the root speaks to all. */
/* expect:
 *   np: >= 1
 *   verdict: bounded to 2..5
 *   because: line +15: what happens depends on np by a computation that is not followed
 *   because: the channels shown are those of np = 5
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int np, word = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int a = np, b = 10;
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 1)
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ speak
    MPI_Finalize();
    return 0;
}
