/* A test as libraries have them: messages of growing length in one communicator after the other, each element checked, and all errors
 * counted in the end. Only the lengths decide what is sent; to follow what is in the buffers would take long.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +13: the exit of the program is not taken
 *   assuming: the environment variables are the same on every rank
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 5
 *   collective: MPI_Comm_dup @copy, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 5
 *   collective: MPI_Comm_split @turn, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], split of MPI_COMM_WORLD, repeat 5
 *   collective: MPI_Reduce @sum, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose = 0;

static void settings(void)
{
    const char *level = getenv("CHECK_LEVEL");
    if (!level)
        level = getenv("CHECK_DEFAULT");
    if (level && *level) {
        if (strcmp(level, "all") == 0 || strcmp(level, "ALL") == 0) {
            verbose = 2;
        } else if (strcmp(level, "some") == 0 || strcmp(level, "SOME") == 0) {
            verbose = 1;
        } else {
            fprintf(stderr, "unknown level %s\n", level);
            exit(1);
        }
    }
}

static void conclude(int errors)
{
    int rank, total = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&errors, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);   //@ sum
    if (rank == 0 && (verbose || total))
        printf("%d errors\n", total);
}

static int next(MPI_Comm *comm, int which, int rank)
{
    if (which == 0)
        *comm = MPI_COMM_WORLD;
    else if (which == 1)
        MPI_Comm_dup(MPI_COMM_WORLD, comm);                                //@ copy
    else
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, comm);                    //@ turn
    return which < 2;
}

int main(int argc, char **argv)
{
    int rank, errors = 0, more = 1;

    MPI_Init(&argc, &argv);
    settings();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int which = 0; more; which++) {
        MPI_Comm comm;
        int own, size;
        more = next(&comm, which, rank);
        MPI_Comm_rank(comm, &own);
        MPI_Comm_size(comm, &size);
        for (int count = 1; count < 5000; count *= 8) {
            double *buffer = malloc(count * sizeof(double));
            for (int i = 0; i < count; i++)
                buffer[i] = own == 0 ? i : -1;
            MPI_Bcast(buffer, count, MPI_DOUBLE, 0, comm);                 //@ spread
            for (int i = 0; i < count; i++) {
                if (buffer[i] != i && errors++ < 10)
                    fprintf(stderr, "element %d of %d is wrong\n", i, count);
            }
            free(buffer);
        }
        if (comm != MPI_COMM_WORLD)
            MPI_Comm_free(&comm);
    }
    conclude(errors);
    MPI_Finalize();
    return 0;
}
