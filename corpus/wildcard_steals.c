/* Every worker sends a result, and rank 1 a closing message after it, with the same tag.
 *
 * The root takes the results from anyone. If it is quicker to take the closing message of rank 1 as a result than the result
 * of another worker, it waits for the closing message for ever. With two processes nothing can be mistaken.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @result -> @any
 *     senders [1..np-1] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @result -> @any
 *     senders [1..1] for np = 2..3 to 0
 *     receivers [0..0] for np = 2..3 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @closing -> @any
 *     senders [1..1] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @closing -> @closing-in
 *     senders [1..1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: gather of @result -> @any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0 && np > 1) {
        for (int i = 1; i < np; i++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ any
        MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                   //@ closing-in
        //~^ MUST unmatched-recv
    } else if (rank > 0) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                      //@ result
        //~^ MAY unmatched-send
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                  //@ closing
    }

    MPI_Finalize();
    return 0;
}
