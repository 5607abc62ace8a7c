/* A token goes around a fixed number of times and counts its steps; with one process it stays where it is.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: the time limit was reached
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: @start -> @take
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   channel: @pass -> @back
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   channel: @pass -> @take
 *     senders [1..3] to rank + 1
 *     receivers [2..4] from rank - 1
 *     1 MPI_INT, tag unknown, MPI_COMM_WORLD, repeat 5
 *   pattern: shift of @pass -> @take
 *   fact: line +29 printf on [0..0]: token = 25
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
