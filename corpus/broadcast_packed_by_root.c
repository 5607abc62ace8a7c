/* Rank 0 knows the number of steps and packs it for the others, but goes on with its own variable: both are the same number. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Bcast line +19, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, steps = 4;
    long packed[3] = {0, 0, 0};
    double mine, theirs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        if (argc > 1)
            steps = abs(atoi(argv[1])) % 100;
        packed[1] = steps;
        packed[2] = 1;
    }
    MPI_Bcast(packed, 3, MPI_LONG, 0, MPI_COMM_WORLD);
    if (rank > 0)
        steps = (int)packed[1];

    mine = rank;
    if (steps > 2)
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + packed[2]) % size, 3, &theirs, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
