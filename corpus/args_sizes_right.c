/* Buffers that are just large enough, or whose size or count is known only when the program runs.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +18, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +26, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +36, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double x[10] = {0};
    struct {
        int head;
        int tail[3];
    } message = {0, {0}};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    /* Through the members of a struct, and the elements of an array from the middle on. */
    MPI_Bcast(&message.head, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&x[5], 5, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    /* One block per process. */
    int *all = malloc(np * sizeof(int));
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    double part[np];
    part[0] = rank;
    MPI_Bcast(part, np, MPI_DOUBLE, 0, MPI_COMM_WORLD);

    /* A buffer that grows. */
    int capacity = 2;
    char *text = malloc(capacity);
    while (capacity < 64) {
        capacity *= 2;
        text = realloc(text, capacity);
    }
    text[0] = 'x';
    MPI_Bcast(text, 64, MPI_CHAR, 0, MPI_COMM_WORLD);

    free(text);
    free(all);
    MPI_Finalize();
    return 0;
}
