/* The others are in the broadcast already when rank 0 decides by what it has read how to go on: it comes there in either case.
 *
 * Right; near-miss of missing-collective.
 */
/* expect:
 *   verdict: unknown
 *   because: line +21: whether `publish` in line +23 is reached depends on data that may differ between ranks
 */
#include <mpi.h>
#include <stdio.h>

static void publish(int *settings)
{
    MPI_Bcast(settings, 2, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, settings[2] = {1, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank > 0) {
        MPI_Bcast(settings, 2, MPI_INT, 0, MPI_COMM_WORLD);
    } else {
        if (scanf("%d %d", &settings[0], &settings[1]) != 2)
            settings[0] = 1;
        if (settings[0] > 5) {
            settings[1] = 0;
            publish(settings);
        } else {
            publish(settings);
        }
    }

    MPI_Finalize();
    return 0;
}
