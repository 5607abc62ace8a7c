/* A line of cells in time steps: neighbours exchange in each step, the largest change is known to all in every fourth, and the first rank
 * collects all cells in every eighth.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 17
 *   channel: @report -> @collect
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     6 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Allreduce @largest, ranks [0..np-1], MPI_COMM_WORLD, repeat 4
 *   pattern: shift of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *   pattern: gather of @report -> @collect
 */
#include <mpi.h>

enum { CELLS = 6, STEPS = 17 };

int main(int argc, char **argv)
{
    int rank, np;
    double cells[CELLS + 2] = {0}, all[CELLS], change = 0, largest;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    cells[1] = rank;
    for (int step = 0; step < STEPS; step++) {
        int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

        MPI_Sendrecv(&cells[1], 1, MPI_DOUBLE, left, 1, &cells[CELLS + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, //@ leftwards
                     MPI_STATUS_IGNORE);
        change += cells[CELLS + 1];
        if (step % 4 == 3)
            MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);                              //@ largest
        if (step % 8 == 0) {
            if (rank == 0)
                for (int from = 1; from < np; from++)
                    MPI_Recv(all, CELLS, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                  //@ collect
            else
                MPI_Send(&cells[1], CELLS, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);                                      //@ report
        }
    }
    MPI_Finalize();
    return 0;
}
