/* A rank for which there is no memory, or no file, ends the program before it communicates; where it is a matter of all, they agree on it
 * first and leave together.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +23: the exit of the program is not taken
 *   collective: MPI_Allreduce line +31, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +38, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, mine, all;
    char name[64];
    double *values, *more = NULL;
    FILE *log;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    values = malloc(100 * sizeof *values);
    if (values == NULL) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    sprintf(name, "/tmp/anyrank.log.%d", rank);
    log = fopen(name, "w");
    if (log == NULL) {
        perror(name);
        exit(1);
    }
    fclose(log);
    remove(name);
    more = realloc(values, 200 * sizeof *values);
    mine = more != NULL;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (!all) {
        MPI_Finalize();
        return 1;
    }
    for (int i = 0; i < 200; i++)
        more[i] = rank;
    MPI_Bcast(more, 200, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(more);
    MPI_Finalize();
    return 0;
}
