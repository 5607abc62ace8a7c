/* A token goes around a fixed number of times and counts its steps; with one process it stays where it is.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @start -> @take
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   channel: @pass -> @back
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   channel: @pass -> @take
 *     senders [1..np-2] to rank + 1
 *     receivers [2..np-1] from rank - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define LAPS 5

int main(int argc, char **argv)
{
    int rank, np, token = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int next = (rank + 1) % np;
    int previous = rank == 0 ? np - 1 : rank - 1;

    for (int lap = 0; lap < LAPS && np > 1; lap++) {
        if (rank == 0) {
            token++;
            MPI_Send(&token, 1, MPI_INT, next, lap, MPI_COMM_WORLD);                            //@ start
            MPI_Recv(&token, 1, MPI_INT, previous, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ back
        } else {
            MPI_Recv(&token, 1, MPI_INT, previous, lap, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take
            token++;
            MPI_Send(&token, 1, MPI_INT, next, lap, MPI_COMM_WORLD);                            //@ pass
        }
    }
    if (rank == 0)
        printf("%d steps\n", token);

    MPI_Finalize();
    return 0;
}
