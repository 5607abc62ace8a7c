/* A token goes around once: rank 0 starts it and waits until it comes back, every other rank waits before it passes it on.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   channel: @start -> @take
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @back
 *     senders [np-1..np-1] to 0
 *     receivers [0..0] from np - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @pass -> @take
 *     senders [1..np-2] to rank + 1
 *     receivers [2..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, token;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np < 2) {
        fprintf(stderr, "a ring needs two processes\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    if (rank == 0) {
        token = -1;
        MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);                              //@ start
        MPI_Recv(&token, 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ back
    } else {
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take
        MPI_Send(&token, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);                //@ pass
    }

    MPI_Finalize();
    return 0;
}
