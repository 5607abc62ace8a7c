/* A one-dimensional stencil: each rank exchanges one cell with either neighbour until all ranks agree that it has converged.
 *
 * The exchange is a function, the ends of the line talk to MPI_PROC_NULL, and how often the loop runs depends on the data, but not on
 * the rank.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @agree, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @leftwards -> MPI_Sendrecv @leftwards
 *   pattern: shift of MPI_Sendrecv @rightwards -> MPI_Sendrecv @rightwards
 */
#include <mpi.h>
#include <stdio.h>

#define CELLS 8

static void exchange(double *u, int left, int right, MPI_Comm comm)
{
    MPI_Sendrecv(&u[1], 1, MPI_DOUBLE, left, 0, &u[CELLS + 1], 1, MPI_DOUBLE, right, 0, comm, MPI_STATUS_IGNORE); //@ leftwards
    MPI_Sendrecv(&u[CELLS], 1, MPI_DOUBLE, right, 1, &u[0], 1, MPI_DOUBLE, left, 1, comm, MPI_STATUS_IGNORE);     //@ rightwards
}

int main(int argc, char **argv)
{
    int rank, np;
    double u[CELLS + 2], change = 1.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < np - 1 ? rank + 1 : MPI_PROC_NULL;

    for (int i = 0; i < CELLS + 2; i++)
        u[i] = rank == 0 ? 1.0 : 0.0;

    while (change > 1e-2) {
        double mine = 0.0;

        exchange(u, left, right, MPI_COMM_WORLD);
        for (int i = 1; i <= CELLS; i++) {
            double next = 0.5 * (u[i - 1] + u[i + 1]);
            double moved = next > u[i] ? next - u[i] : u[i] - next;

            if (moved > mine)
                mine = moved;
            u[i] = next;
        }
        MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); //@ agree
    }
    if (rank == 0)
        printf("converged\n");

    MPI_Finalize();
    return 0;
}
