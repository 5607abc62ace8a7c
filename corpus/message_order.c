/* Two messages with the same tag to the same receiver: they cannot overtake each other, so the length comes before the data.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @length -> @length-in
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @data -> @data-in
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     20 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @length -> @length-in
 *   pattern: shift of @data -> @data-in
 */
#include <mpi.h>

#define MOST 64

int main(int argc, char **argv)
{
    int rank, np, length = 0, data[MOST] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0) {
        MPI_Recv(&length, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ length-in
        MPI_Recv(data, length, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ data-in
    } else {
        length = 20;
    }
    if (rank < np - 1) {
        MPI_Send(&length, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                         //@ length //~ NOTE use-collective: MPI_Bcast
        MPI_Send(data, length, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                       //@ data
    }

    MPI_Finalize();
    return 0;
}
