/* A ring of blocking calls that needs no buffering: even ranks send first, odd ranks receive first.
 *
 * With an odd number of processes two even ranks meet where the ring closes; the chain of waits still ends at an odd one.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +16: whether `MPI_Send` in @even-sends is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   channel: @even-sends -> @even-receives
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-sends -> @odd-receives
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-sends -> @odd-receives
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-sends -> @even-receives
 *     senders [1..1] to 2
 *     receivers [2..2] from 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-sends -> @even-receives
 *     senders [3..3] to 4
 *     receivers [4..4] from 3
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    char out[80] = "hello", in[80];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int right = (rank + 1) % np;
    int left = (rank + np - 1) % np;

    if (np > 1) {
        if (rank % 2 == 0) {
            MPI_Send(out, 80, MPI_CHAR, right, 0, MPI_COMM_WORLD);                     //@ even-sends
            MPI_Recv(in, 80, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ even-receives
        } else {
            MPI_Recv(in, 80, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ odd-receives
            MPI_Send(out, 80, MPI_CHAR, right, 0, MPI_COMM_WORLD);                     //@ odd-sends
        }
    }

    MPI_Finalize();
    return 0;
}
