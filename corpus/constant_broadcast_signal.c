/* The root writes a file before it broadcasts a constant: the others read it, and the broadcast makes them wait for that.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: files that several ranks use are the same on every rank
 *   collective: MPI_Bcast @tell, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   fact: line +26 printf on [0..np-1]: ready = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, ready;
    FILE *file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        file = fopen("/dev/null", "w");
        if (file)
            fclose(file);
    }
    if (rank == 0)
        ready = 1;
    MPI_Bcast(&ready, 1, MPI_INT, 0, MPI_COMM_WORLD); //@ tell //~ NOTE share-constant
    if (rank != 0) {
        file = fopen("/dev/null", "r");
        if (file)
            fclose(file);
    }

    printf("rank %d: %d\n", rank, ready);
    MPI_Finalize();
    return 0;
}
