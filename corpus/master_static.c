/* A master that deals out a fixed number of tasks to each worker and collects as many results, worker by worker.
 *
 * A worker takes all its tasks before it begins, so that the master is never kept waiting.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @task -> @task-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 10, MPI_COMM_WORLD, repeat 3
 *   channel: @result -> @result-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 11, MPI_COMM_WORLD, repeat 3
 *   pattern: fan-out of @task -> @task-in
 *   pattern: gather of @result -> @result-in
 */
#include <mpi.h>
#include <stdio.h>

#define BLOCK 3
#define TASK 10
#define RESULT 11

static void master(int np)
{
    int task = 0;
    double result, sum = 0.0;

    for (int worker = 1; worker < np; worker++)
        for (int i = 0; i < BLOCK; i++) {
            MPI_Send(&task, 1, MPI_INT, worker, TASK, MPI_COMM_WORLD);                              //@ task
            task++;
        }
    for (int worker = 1; worker < np; worker++)
        for (int i = 0; i < BLOCK; i++) {
            MPI_Recv(&result, 1, MPI_DOUBLE, worker, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ result-in //~ NOTE use-collective: MPI_Reduce
            sum += result;
        }
    printf("%d tasks, sum %g\n", task, sum);
}

static void worker(void)
{
    int tasks[BLOCK];
    double result;

    for (int i = 0; i < BLOCK; i++)
        MPI_Recv(&tasks[i], 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                //@ task-in
    for (int i = 0; i < BLOCK; i++) {
        result = 1.0 / (tasks[i] + 1);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);                                //@ result
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
