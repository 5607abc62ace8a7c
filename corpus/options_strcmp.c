/* A loop over the arguments that knows two words and ends the program for any other.
 */
/* expect:
 *   trace: no, without arguments there is no barrier
 *   verdict: exact for any np >= 1
 *   assuming: line +16: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int meet = 0, laps = 1;

    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--meet") == 0) {
            meet = 1;
        } else if (strncmp(argv[i], "--laps=", 7) == 0) {
            laps = atoi(argv[i] + 7);
        } else {
            fprintf(stderr, "%s: what is %s?\n", argv[0], argv[i]);
            exit(1);
        }
    }
    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);
    if (meet)
        MPI_Barrier(MPI_COMM_WORLD);    //@ meet

    MPI_Finalize();
    return 0;
}
