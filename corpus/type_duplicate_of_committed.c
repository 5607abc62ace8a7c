/* The duplicate of a committed type is committed too, and outlives the original.
 *
 * Right; near-miss of datatype-uncommitted, use-after-free and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 26 (3 int), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, mine[3] = {1, 2, 3}, theirs[3];
    MPI_Datatype triple, same;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_contiguous(3, MPI_INT, &triple);
    MPI_Type_commit(&triple);
    MPI_Type_dup(triple, &same);
    MPI_Type_free(&triple);
    MPI_Sendrecv(mine, 1, same, (rank + 1) % size, 0, theirs, 1, same, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&same);

    MPI_Finalize();
    return 0;
}
