/* A ring of blocking calls that needs no buffering: even ranks send first, odd ranks receive first.
 *
 * With an odd number of processes two even ranks meet where the ring closes; the chain of waits still ends at an odd one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @even-sends -> @even-receives
 *     senders [np-1..np-1] for odd np >= 3 to 0
 *     receivers [0..0] for odd np >= 3 from np - 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-sends -> @odd-receives
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @even-sends -> @odd-receives
 *     senders [2..2*(np / 2)-2] step 2 for np >= 2 to rank + 1
 *     receivers [3..2*(np / 2)-1] step 2 for np >= 2 from rank - 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-sends -> @even-receives
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 3 to rank + 1
 *     receivers [2..2*(np / 2)] step 2 for odd np >= 3 from rank - 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-sends -> @even-receives
 *     senders [np-1..np-1] for even np >= 2 to 0
 *     receivers [0..0] for even np >= 2 from np - 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @odd-sends -> @even-receives
 *     senders [1..2*(np / 2)-3] step 2 for even np >= 2 to rank + 1
 *     receivers [2..2*(np / 2)-2] step 2 for even np >= 2 from rank - 1
 *     80 MPI_CHAR, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @even-sends -> @odd-receives
 *   pattern: shift of @odd-sends -> @even-receives
 *   pattern: shift of @odd-sends -> @even-receives
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
            MPI_Send(out, 80, MPI_CHAR, right, 0, MPI_COMM_WORLD);                     //@ even-sends //~ NOTE use-sendrecv: MPI_Sendrecv
            MPI_Recv(in, 80, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ even-receives
        } else {
            MPI_Recv(in, 80, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ odd-receives
            MPI_Send(out, 80, MPI_CHAR, right, 0, MPI_COMM_WORLD);                     //@ odd-sends
        }
    }

    MPI_Finalize();
    return 0;
}
