/* The ring uses the largest tag that the MPI library allows: which one that is may differ from library to library, not from rank to
 * rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag MPI_TAG_UB, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, found, x = 0;
    void *attribute;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &attribute, &found);
    int largest = found ? *(int *)attribute : 0;
    if (largest < 32767)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, largest, (rank + np - 1) % np, largest,   //@ pass
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
