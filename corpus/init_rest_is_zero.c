/* Initialisers that leave elements out make them zero: nobody is skipped, and no message is sent that a flag would ask for.
 *
 * Right; near-miss of deadlock.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +23 -> line +27
 *     senders [0..0] for np >= 2 to np - 1
 *     receivers [np-1..np-1] for np >= 2 from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>
#include <stdio.h>

#define MOST 64

struct settings {
    int rounds;
    int skipped[MOST];
};

int main(int argc, char **argv)
{
    int rank, size, value = 0, has_sent[MOST] = {0};
    struct settings settings = {.rounds = 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < settings.rounds; round++) {
        if (settings.skipped[7])
            continue;
        if (rank == 0 && size > 1) {
            MPI_Send(&round, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
        } else if (rank == size - 1 && size > 1) {
            if (has_sent[5])
                MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (rank == size - 1)
        printf("%d\n", value);
    MPI_Finalize();
    return 0;
}
