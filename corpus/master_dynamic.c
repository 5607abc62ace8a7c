/* A master that hands the next task to whoever brings a result, and tells each worker to stop when no task is left.
 *
 * Every worker gets one task to begin with, as far as they go. Who gets how many of the others depends on timing.
 */
/* expect:
 *   trace: no, how many tasks a worker gets depends on timing
 *   verdict: exact for any np >= 1
 *   channel: @first -> @task-in
 *     senders [0..0] for np >= 21 to each of [1..20]
 *     receivers [1..20] for np >= 21 from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @first -> @task-in
 *     senders [0..0] for np = 2..20 to each of [1..np-1]
 *     receivers [1..np-1] for np = 2..20 from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @none -> @task-in
 *     senders [0..0] to each of [21..np-1]
 *     receivers [21..np-1] from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: @next -> @task-in
 *     senders [0..0] for np = 2..20 to each of [1..np-1]
 *     receivers [1..np-1] for np = 2..20 from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: @stop -> @task-in
 *     senders [0..0] for np >= 21 to each of [1..20]
 *     receivers [1..20] for np >= 21 from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: @stop -> @task-in
 *     senders [0..0] for np = 2..20 to each of [1..np-1]
 *     receivers [1..np-1] for np = 2..20 from 0
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: @result -> @result-in
 *     senders [1..20] for np >= 21 to 0
 *     receivers [0..0] for np >= 21 from each of [1..20]
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @result -> @result-in
 *     senders [1..np-1] for np = 2..20 to 0
 *     receivers [0..0] for np = 2..20 from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat unknown
 *   pattern: fan-out of @first -> @task-in
 *   pattern: fan-out of @first -> @task-in
 *   pattern: fan-out of @none -> @task-in
 *   pattern: fan-out of @next -> @task-in
 *   pattern: fan-out of @stop -> @task-in
 *   pattern: fan-out of @stop -> @task-in
 *   pattern: gather of @result -> @result-in
 *   pattern: gather of @result -> @result-in
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
