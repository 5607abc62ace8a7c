/* A word of the command line is read character by character, and every `x` in it is one more lap round the ring.
 */
/* expect:
 *   trace: no, without arguments there is no barrier
 *   verdict: unknown
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int laps = 1;

    if (argc > 1)
        for (const char *c = argv[1]; *c != 0; c++)
            if (*c == 'x')
                laps++;
    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);
    if (argc > 2 && argv[2][0] == 'm')
        MPI_Barrier(MPI_COMM_WORLD);    //@ meet

    MPI_Finalize();
    return 0;
}
