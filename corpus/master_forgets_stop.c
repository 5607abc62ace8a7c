/* A master that gives each worker one task and then tells all but the last of them to stop.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @task -> @task-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @stop -> @task-in
 *     senders [0..0] to each of [1..np-2]
 *     receivers [1..np-2] from 0
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @result -> @result-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @task -> @task-in
 *   pattern: fan-out of @stop -> @task-in
 *   pattern: gather of @result -> @result-in
 */
#include <mpi.h>

enum { TASK = 1, STOP = 2 };

static void master(int np)
{
    int task, result;

    for (int w = 1; w < np; w++) {
        task = 10 * w;
        MPI_Send(&task, 1, MPI_INT, w, TASK, MPI_COMM_WORLD);                                  //@ task
    }
    for (int w = 1; w < np; w++)
        MPI_Recv(&result, 1, MPI_INT, w, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);             //@ result-in
    for (int w = 1; w < np - 1; w++)
        MPI_Send(&task, 1, MPI_INT, w, STOP, MPI_COMM_WORLD);                                  //@ stop
}

static void worker(void)
{
    int task;
    MPI_Status status;

    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);                  //@ task-in
        //~^ MUST unmatched-recv
        if (status.MPI_TAG == STOP)
            return;
        task++;
        MPI_Send(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD);                                  //@ result
    }
}

int main(int argc, char **argv)
{
    int rank, np, task = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0)
        master(np);
    else
        worker();
    MPI_Finalize();
    return task;
}
