/* The extent of a pair is set to that of one number: three pairs that are received lie on top of each other. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +20 -> MPI_Irecv line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     6 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of line +20 -> MPI_Irecv line +19
 */
#include <mpi.h>

#define PAIRS 3

int main(int argc, char **argv)
{
    int rank, size;
    float mine[2 * PAIRS] = {0}, theirs[2 * PAIRS];
    MPI_Datatype two, pair;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_contiguous(2, MPI_FLOAT, &two);
    MPI_Type_create_resized(two, 0, sizeof(float), &pair);
    MPI_Type_commit(&pair);
    MPI_Irecv(theirs, PAIRS, pair, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &request);   //~ MUST datatype-overlap: where 3 follow each other
    MPI_Send(mine, 2 * PAIRS, MPI_FLOAT, (rank + 1) % size, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
    MPI_Type_free(&two);

    MPI_Finalize();
    return 0;
}
