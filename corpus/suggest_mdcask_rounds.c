/* The exchange of mdcask with whole numbers in rounds, as many as the command line says: the root adds to one sum all the time. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat unknown
 *   channel: @report -> @gather
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 3, MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @ask -> @asked
 *   pattern: gather of @report -> @gather
 *   pattern: gather of @answer -> @answered
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, rounds = 1 < argc ? atoi(argv[1]) : 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    long energy = 0;
    for (int round = 0; round < rounds; round++) {
        if (rank == 0) {
            long part, step = 5 + round;

            for (int proc = 1; proc < np; proc++) {
                MPI_Recv(&part, 1, MPI_LONG, proc, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ gather //~ NOTE use-collective: MPI_Reduce
                energy += part;
            }
            for (int proc = 1; proc < np; proc++) {
                MPI_Send(&step, 1, MPI_LONG, proc, 2, MPI_COMM_WORLD);                    //@ ask //~ NOTE use-collective: MPI_Bcast
                MPI_Recv(&part, 1, MPI_LONG, proc, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
                energy += part;
            }
        } else {
            long mine = rank, step;

            MPI_Send(&mine, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD);                    //@ report
            MPI_Recv(&step, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
            mine *= step;
            MPI_Send(&mine, 1, MPI_LONG, 0, 3, MPI_COMM_WORLD);                    //@ answer
        }
    }
    if (rank == 0)
        printf("energy %ld\n", energy);

    MPI_Finalize();
    return 0;
}
