/* Blocks of two are told to begin one behind the other: the receive writes the number in the middle twice. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     4 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +16 -> MPI_Sendrecv line +16
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int mine[4] = {1, 2, 3, 4}, theirs[4] = {0};
    int lengths[2] = {2, 2}, places[2] = {0, 1};
    MPI_Datatype pairs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_indexed(2, lengths, places, MPI_INT, &pairs); //~ NOTE simplify-datatype: MPI_Type_vector
    MPI_Type_commit(&pairs);
    MPI_Sendrecv(mine, 4, MPI_INT, (rank + 1) % size, 0,
                 theirs, 1, pairs, (rank + size - 1) % size, 0,  //~ MUST datatype-overlap: two entries at byte 4
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&pairs);

    MPI_Finalize();
    return 0;
}
