/* The receive between the probe and the receive of what it found gets the second message: the first one is taken already. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were not looked for
 *   lengths: not proved, line +16: whether the receive has room for the message of line +11 is not known
 *   channel: line +11 -> MPI_Mrecv line +16
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +12 -> line +15
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
int main(int argc, char **argv)
{
  int rank, np, x = 1, y = 0;
  MPI_Message m;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  if (np >= 2) {
    if (rank == 0) {
      MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
      MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Mprobe(0, 0, MPI_COMM_WORLD, &m, MPI_STATUS_IGNORE);
      MPI_Recv(&y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Mrecv(&x, 1, MPI_INT, &m, MPI_STATUS_IGNORE);
    }
  }
  MPI_Finalize();
  return x != 1 || y > 1;
}
