/* A type and a duplicate of it are two objects: to free the one does not free the other. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 21 (3 int), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +15 -> MPI_Sendrecv line +15
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
    MPI_Type_dup(triple, &same); //~ MUST datatype-leak
    MPI_Sendrecv(mine, 1, triple, (rank + 1) % size, 0, theirs, 1, same, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&triple);

    MPI_Finalize();
    return 0;
}
