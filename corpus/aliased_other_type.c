/* Numbers of another type are stored through a pointer that may point to anything: communicator, partner and tag stay what they are.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +21, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

struct plan {
    MPI_Comm comm;
    int next, previous;
    double weight;
};

int main(int argc, char **argv)
{
    int rank, size, in = 0;
    double sum = 0, *cells[3];
    struct plan *plan;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    plan = malloc(sizeof *plan);
    MPI_Comm_dup(MPI_COMM_WORLD, &plan->comm);
    plan->next = (rank + 1) % size;
    plan->previous = (rank + size - 1) % size;
    cells[0] = &sum;
    cells[1] = &plan->weight;
    cells[2] = malloc(sizeof(double));
    *cells[time(NULL) % 3] = 1.5;
    MPI_Sendrecv(&rank, 1, MPI_INT, plan->next, 0, &in, 1, MPI_INT, plan->previous, 0, plan->comm, MPI_STATUS_IGNORE); //@ ring
    MPI_Comm_free(&plan->comm);
    free(cells[2]);
    free(plan);
    MPI_Finalize();
    return in < 0;
}
