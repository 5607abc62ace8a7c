/* Euclid's algorithm tells whether there are as many processes as can be dealt out in tens without a rest in common: then the root speaks to all. */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   assuming: line +11: the divisor is not zero
 *   assuming: the command line is the same on every rank
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   collective: MPI_Bcast @speak, root 0, ranks [0..np-1] for choice >= 1, MPI_COMM_WORLD, repeat 1
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
