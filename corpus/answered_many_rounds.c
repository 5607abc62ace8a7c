/* A fixed number of rounds, too many for each to be followed by itself: the root answers everybody, and all meet. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @answer -> @answered
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: @ask -> @asked
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier line +28, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @answer -> @answered
 *   pattern: gather of @ask -> @asked
 */
#include <mpi.h>
#include <stdio.h>

#define ROUNDS 110

int main(int argc, char **argv)
{
    int rank, np, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int round = 0; round < ROUNDS; round++) {
        int number = rank + round;

        if (rank == 0) {
            for (int i = 1; i < np; i++) {
                MPI_Recv(&number, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
                number *= 2;
                MPI_Send(&number, 1, MPI_INT, i, 1, MPI_COMM_WORLD); //@ answer
            }
        } else {
            MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                    //@ ask
            MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
        }
        sum += number;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%d: %d\n", rank, sum);

    MPI_Finalize();
    return 0;
}
