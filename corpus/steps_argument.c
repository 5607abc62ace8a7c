/* A time-step loop whose number of steps is an argument of the program, with a halo exchange in each.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @end, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *   pattern: shift of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, steps = 5;
    double left_edge = 0.0, right_edge = 1.0, from_left = 0.0, from_right = 0.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (argc > 1)
        steps = atoi(argv[1]);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int t = 1; t <= steps; t++) {
        MPI_Sendrecv(&right_edge, 1, MPI_DOUBLE, right, 0, &from_left, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, //@ rightwards
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&left_edge, 1, MPI_DOUBLE, left, 1, &from_right, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, //@ leftwards
                     MPI_STATUS_IGNORE);
        left_edge = 0.5 * (from_left + left_edge);
        right_edge = 0.5 * (from_right + right_edge);
    }
    MPI_Barrier(MPI_COMM_WORLD);                                                                               //@ end

    MPI_Finalize();
    return 0;
}
