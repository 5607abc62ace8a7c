/* A sum that all ranks know at the end: every number travels once around the ring, in a buffer that is replaced.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat np - 1
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, travelling, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int right = (rank + 1) % np;
    int left = (rank + np - 1) % np;

    travelling = sum = rank + 1;
    for (int step = 0; step < np - 1; step++) {
        MPI_Sendrecv_replace(&travelling, 1, MPI_INT, right, 0, left, 0, MPI_COMM_WORLD, //@ pass //~ NOTE use-collective: MPI_Allreduce
                             MPI_STATUS_IGNORE);
        sum += travelling;
    }
    printf("rank %d: %d\n", rank, sum);

    MPI_Finalize();
    return 0;
}
