/* The root sends a double, the workers receive two ints into it. The sizes agree, so every run looks right until the two
 * sides are machines that store a double differently, or until the library checks signatures.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, words[2] = {0, 0};
    double value = 1.5;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int worker = 1; worker < np; worker++)
            MPI_Send(&value, 1, MPI_DOUBLE, worker, 0, MPI_COMM_WORLD);       //@ give
    } else {
        MPI_Recv(words, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        //~^ MUST datatype-mismatch: MPI_DOUBLE
    }

    MPI_Finalize();
    return 0;
}
