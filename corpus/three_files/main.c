/* A program in three files: one finds the neighbours, one exchanges with them, and main keeps them in a struct between.
 *
 * One call serves both directions; it is reached twice, with different partners.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 7, MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 8, MPI_COMM_WORLD, repeat 2
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include "line.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    struct line line;
    double edge[2] = {0.0, 1.0}, halo[2] = {0.0, 0.0};

    MPI_Init(&argc, &argv);
    line_find(&line);
    for (int step = 0; step < 2; step++) {
        exchange_edges(&line, edge, halo);
        edge[0] += halo[0];
        edge[1] += halo[1];
    }
    MPI_Finalize();
    return 0;
}
