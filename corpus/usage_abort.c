/* A program that refuses too few processes and wrong arguments with MPI_Abort, and otherwise bounces a message.
 *
 * Only ranks 0 and 1 talk; the others wait at the barrier.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 *   assuming: line +8: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: @ping -> @ping-in
 *     senders [0..0] to 1
 *     receivers [1..1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @pong -> @pong-in
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @end, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s [bounces]\n", program);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    int rank, np, bounces = 10, ball = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np < 2 || argc > 2)
        usage(argv[0]);
    if (argc == 2) {
        bounces = atoi(argv[1]);
        if (bounces <= 0)
            usage(argv[0]);
    }

    for (int i = 0; i < bounces; i++) {
        if (rank == 0) {
            MPI_Send(&ball, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);                            //@ ping
            MPI_Recv(&ball, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ pong-in
        } else if (rank == 1) {
            MPI_Recv(&ball, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ ping-in
            ball++;
            MPI_Send(&ball, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                            //@ pong
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);                                                          //@ end

    MPI_Finalize();
    return 0;
}
