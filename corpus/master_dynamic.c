/* A master that hands the next task to whoever brings a result, and tells each worker to stop when no task is left.
 *
 * Every worker gets one task to begin with, as far as they go. Who gets how many of the others depends on timing.
 */
/* expect:
 *   trace: no, how many tasks a worker gets depends on timing
 *   verdict: unknown
 *   because: @result-in: a receive from any source is not followed yet
 *   because: line +45: whether `MPI_Recv` in @task-in is reached depends on data that may differ between ranks
 *   channel: @first -> @task-in
 *     senders [0..0] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define TASKS 20

enum { WORK = 1, RESULT, STOP };

static void master(int np)
{
    int next = 0, active = 0;
    double result, sum = 0.0;
    MPI_Status status;

    for (int worker = 1; worker < np; worker++) {
        if (next < TASKS) {
            MPI_Send(&next, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);                                      //@ first
            next++;
            active++;
        } else {
            MPI_Send(&next, 1, MPI_INT, worker, STOP, MPI_COMM_WORLD);                                      //@ none
        }
    }
    while (active > 0) {
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);                  //@ result-in
        sum += result;
        if (next < TASKS) {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, WORK, MPI_COMM_WORLD);                           //@ next
            next++;
        } else {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, STOP, MPI_COMM_WORLD);                           //@ stop
            active--;
        }
    }
    printf("%g\n", sum);
}

static void worker(void)
{
    int task;
    double result;
    MPI_Status status;

    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);                               //@ task-in
        if (status.MPI_TAG == STOP)
            break;
        result = task * 0.5;
        MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);                                        //@ result
    }
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0)
        master(np);
    else
        worker();

    MPI_Finalize();
    return 0;
}
