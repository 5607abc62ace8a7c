/* The memory that is lent is enough for one message. The next one is sent when the last has been answered, or it goes nowhere, or
 * memory for two is lent.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Bsend @one -> @take_one
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     500 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @answer -> MPI_Sendrecv @answer
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     0 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Bsend @two -> @take_two
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     500 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Bsend @three -> @take_three
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     500 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Bsend @four -> @take_four
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     500 MPI_DOUBLE, tag 4, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Bsend @one -> @take_one
 *   pattern: ring of MPI_Sendrecv @answer -> MPI_Sendrecv @answer
 *   pattern: ring of MPI_Bsend @two -> @take_two
 *   pattern: ring of MPI_Bsend @three -> @take_three
 *   pattern: ring of MPI_Bsend @four -> @take_four
 */
#include <mpi.h>
#include <stdlib.h>

#define N 500

int main(int argc, char **argv)
{
    int rank, np, size;
    static double mine[N], theirs[N];
    void *buffer;
    int left, right;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    left = (rank + np - 1) % np;
    right = (rank + 1) % np;

    size = N * sizeof(double) + MPI_BSEND_OVERHEAD;
    buffer = malloc(size);
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(mine, N, MPI_DOUBLE, right, 0, MPI_COMM_WORLD);                           //@ one
    MPI_Recv(theirs, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take_one
    MPI_Sendrecv(NULL, 0, MPI_DOUBLE, left, 1, NULL, 0, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);                                                    //@ answer
    MPI_Bsend(mine, N, MPI_DOUBLE, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
    MPI_Bsend(mine, N, MPI_DOUBLE, left, 2, MPI_COMM_WORLD);                            //@ two
    MPI_Recv(theirs, N, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take_two
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);

    size = 2 * (N * sizeof(double) + MPI_BSEND_OVERHEAD);
    buffer = malloc(size);
    MPI_Buffer_attach(buffer, size);
    MPI_Bsend(mine, N, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);                           //@ three
    MPI_Bsend(mine, N, MPI_DOUBLE, left, 4, MPI_COMM_WORLD);                            //@ four
    MPI_Recv(theirs, N, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take_three
    MPI_Recv(theirs, N, MPI_DOUBLE, right, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take_four
    MPI_Buffer_detach(&buffer, &size);
    free(buffer);

    MPI_Finalize();
    return theirs[0] > 1.0;
}
