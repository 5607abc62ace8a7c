/* Workers that ask for work: the master answers each question with a task, or with -1 when there is none left.
 *
 * The question is an empty message. How often a worker asks depends on timing; each gets its -1 in the end.
 */
/* expect:
 *   trace: no, how many tasks a worker gets depends on timing
 *   verdict: exact for any np >= 1
 *   channel: @answer -> @answer-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat unknown
 *   channel: @ask -> @asked
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     0 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @answer -> @answer-in
 *   pattern: gather of @ask -> @asked
 */
#include <mpi.h>
#include <stddef.h>

#define ASK 1
#define TASK 2

static void give_tasks(int workers, int tasks)
{
    MPI_Status status;
    int next = 0, task;

    while (workers > 0) {
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);        //@ asked
        if (next < tasks) {
            task = next++;
        } else {
            task = -1;
            workers--;
        }
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);            //@ answer
    }
}

static int do_tasks(void)
{
    int task, done = 0;

    do {
        MPI_Send(NULL, 0, MPI_INT, 0, ASK, MPI_COMM_WORLD);                              //@ ask
        MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ answer-in
        done++;
    } while (task >= 0);
    return done;
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0)
        give_tasks(np - 1, 30);
    else
        do_tasks();

    MPI_Finalize();
    return 0;
}
