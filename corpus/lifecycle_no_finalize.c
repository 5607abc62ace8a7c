/* One way out of the program goes past MPI_Finalize.
 *
 * The checks before MPI_Init, and those that end in exit, need none.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Barrier line +31, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int ok)
{
    if (!ok) {
        fprintf(stderr, "no memory\n");
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc > 9) {
        fprintf(stderr, "too many arguments\n");
        return 1;
    }
    MPI_Init(&argc, &argv);
    if (argc > 2) {
        fprintf(stderr, "usage: %s [STEPS]\n", argv[0]);
        return 1; //~ MUST missing-finalize: without MPI_Finalize
    }
    void *memory = malloc(100);
    check(memory != NULL);
    if (argc > 1 && atoi(argv[1]) == 0) {
        free(memory);
        return 0; //~ MUST missing-finalize
    }
    free(memory);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
