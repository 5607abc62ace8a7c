/* Alternating directions on strips: the blocks of a transposition are exchanged one by one, in each round with another partner. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     4 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: band of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 4 };

static void transpose(const double *from, double *to, int rank, int np)
{
    for (int round = 0; round < np; round++) {
        int dest = (rank + round) % np, source = (rank - round + np) % np;
        MPI_Sendrecv(from + dest * BLOCK, BLOCK, MPI_DOUBLE, dest, 0, to + source * BLOCK, BLOCK, MPI_DOUBLE, source, 0, //@ swap
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double *rows = calloc(np * BLOCK, sizeof *rows), *columns = calloc(np * BLOCK, sizeof *columns);
    rows[0] = rank;
    transpose(rows, columns, rank, np);
    columns[0] += 1;
    transpose(columns, rows, rank, np);
    printf("rank %d: %g\n", rank, rows[0]);

    free(columns);
    free(rows);
    MPI_Finalize();
    return 0;
}
