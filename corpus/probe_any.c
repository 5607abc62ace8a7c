/* A receiver that knows neither who sends next nor what: it probes for any message and receives just the one it found.
 *
 * Every worker sends a number and a text, with different tags, in this order.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @number -> @number-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @text -> @text-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     32 MPI_CHAR, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @number -> @number-in
 *   pattern: gather of @text -> @text-in
 */
#include <mpi.h>
#include <stdio.h>

enum { NUMBER = 1, TEXT = 2 };

int main(int argc, char **argv)
{
    int rank, np, number = 0;
    char text[32];
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank > 0) {
        number = rank;
        MPI_Send(&number, 1, MPI_INT, 0, NUMBER, MPI_COMM_WORLD);                              //@ number
        snprintf(text, sizeof text, "from %d", rank);
        MPI_Send(text, 32, MPI_CHAR, 0, TEXT, MPI_COMM_WORLD);                                 //@ text
    } else {
        for (int i = 0; i < 2 * (np - 1); i++) {
            MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);                   //@ look
            if (status.MPI_TAG == NUMBER)
                MPI_Recv(&number, 1, MPI_INT, status.MPI_SOURCE, NUMBER, MPI_COMM_WORLD,       //@ number-in
                         MPI_STATUS_IGNORE);
            else
                MPI_Recv(text, 32, MPI_CHAR, status.MPI_SOURCE, TEXT, MPI_COMM_WORLD,          //@ text-in
                         MPI_STATUS_IGNORE);
        }
    }

    MPI_Finalize();
    return 0;
}
