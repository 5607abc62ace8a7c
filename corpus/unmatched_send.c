/* The root sends two messages to every worker, and the workers receive one.
 *
 * With room to buffer, the program ends and nobody notices; the second message of every pair is lost.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   channel: @length -> @length-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @length -> @length-in
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, length = 3, data = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int worker = 1; worker < np; worker++)
            MPI_Send(&length, 1, MPI_INT, worker, 1, MPI_COMM_WORLD); //@ length
        for (int worker = 1; worker < np; worker++)
            MPI_Send(&data, 1, MPI_INT, worker, 2, MPI_COMM_WORLD);   //~ MUST unmatched-send
    } else {
        MPI_Recv(&length, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ length-in
    }

    MPI_Finalize();
    return 0;
}
