/* A thousand steps of diffusion in a rod, with the change of all parts in each of them. An
 * exploration of few processes joins its steps, and still knows that there are a thousand. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1000
 *   channel: MPI_Sendrecv line +18 -> MPI_Sendrecv line +18
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1000
 *   collective: MPI_Allreduce line +25, ranks [0..np-1], MPI_COMM_WORLD, repeat 1000
 *   pattern: shift of MPI_Sendrecv line +17 -> MPI_Sendrecv line +17
 *   pattern: shift of MPI_Sendrecv line +18 -> MPI_Sendrecv line +18
 */
#include <mpi.h>
#include <stdio.h>

#define STEPS 1000
#define CELLS 100

int main(int argc, char **argv) {
  double now[CELLS + 2], next[CELLS + 2], change, total = 0;
  int rank, np;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  for (int i = 0; i < CELLS + 2; i++) now[i] = rank;
  int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;
  for (int step = 0; step < STEPS; step++) {
    MPI_Sendrecv(&now[1], 1, MPI_DOUBLE, left, 0, &now[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&now[CELLS], 1, MPI_DOUBLE, right, 1, &now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    change = 0;
    for (int i = 1; i <= CELLS; i++) {
      next[i] = (now[i - 1] + now[i + 1]) / 2;
      change += next[i] - now[i];
    }
    for (int i = 1; i <= CELLS; i++) now[i] = next[i];
    MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%f\n", total);
  MPI_Finalize();
  return 0;
}
