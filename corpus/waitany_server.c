/* A server that listens to each client with a receive of its own, answers whoever is first, and listens to it again.
 *
 * Every client asks twice.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: @answer: the partner is computed from who came first
 *   because: the channels shown are those of np = 5
 *   channel: @answer -> @answered
 *     senders [0..0] to each of [1..4]
 *     receivers [1..4] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 2
 *   channel: @ask -> MPI_Irecv @asked
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @ask -> MPI_Irecv @asked-again
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @answer -> @answered
 *   pattern: gather of @ask -> MPI_Irecv @asked
 *   pattern: gather of @ask -> MPI_Irecv @asked-again
 */
#include <mpi.h>
#include <stdlib.h>

#define QUESTIONS 2

static void serve(int clients)
{
    int *question = malloc((clients + 1) * sizeof(int));
    MPI_Request *requests = malloc((clients + 1) * sizeof(MPI_Request));
    int *asked = calloc(clients + 1, sizeof(int));

    for (int c = 0; c < clients; c++)
        MPI_Irecv(&question[c], 1, MPI_INT, c + 1, 1, MPI_COMM_WORLD, &requests[c]);              //@ asked
    for (int i = 0; i < QUESTIONS * clients; i++) {
        int c, answer;

        MPI_Waitany(clients, requests, &c, MPI_STATUS_IGNORE);
        answer = question[c] + 1;
        MPI_Send(&answer, 1, MPI_INT, c + 1, 2, MPI_COMM_WORLD);                                  //@ answer
        if (++asked[c] < QUESTIONS)
            MPI_Irecv(&question[c], 1, MPI_INT, c + 1, 1, MPI_COMM_WORLD, &requests[c]);          //@ asked-again
    }
    free(asked);
    free(requests);
    free(question);
}

int main(int argc, char **argv)
{
    int rank, np, answer = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        serve(np - 1);
    } else {
        for (int i = 0; i < QUESTIONS; i++) {
            MPI_Send(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);                                  //@ ask
            MPI_Recv(&answer, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //@ answered
        }
    }

    MPI_Finalize();
    return 0;
}
