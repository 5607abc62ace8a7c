/* A loop that does not communicate computes one number from the rank and one from the command line only.
 */
/* expect:
 *   verdict: unknown
 *   assuming: the command line is the same on every rank
 *   because: line +23: whether `MPI_Barrier` in @mine is reached depends on data that may differ between ranks
 *   collective: MPI_Barrier @ours, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int n = argc > 1 ? atoi(argv[1]) : 3, mine = 0, ours = 0;
    int table[8] = { 0 };

    for (int i = 0; i < n; i++) {
        table[i % 8] += i * rank;
        ours += i;
    }
    for (int i = 0; i < 8; i++)
        mine += table[i] < 0;
    if (ours < 0)
        MPI_Barrier(MPI_COMM_WORLD);    //@ ours
    if (mine > 0)
        MPI_Barrier(MPI_COMM_WORLD);    //@ mine

    MPI_Finalize();
    return 0;
}
