/* A program in two files: main decides who talks to whom, distribute.c does the talking.
 *
 * The calls that communicate are in a function that knows its partner only by a parameter.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: @hand-out -> @take-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     16 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @hand-out -> @take-in
 */
#include "distribute.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double part[PART] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0)
        for (int worker = 1; worker < np; worker++)
            hand_out(part, worker);
    else
        take_in(part, 0);

    MPI_Finalize();
    return 0;
}
