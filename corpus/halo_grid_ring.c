/* A ring of segments with a cell of each neighbour at both ends. Of two processes each is on both sides of the other, and a process
 * that is alone is its own neighbour: tags say which message is for which end.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to_left -> MPI_Irecv @from_right
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 2, grid of MPI_COMM_WORLD, repeat 2
 *   channel: @to_right -> MPI_Irecv @from_left
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 1, grid of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Cart_create @ring, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of @to_left -> MPI_Irecv @from_right
 *   pattern: ring of @to_right -> MPI_Irecv @from_left
 */
#include <mpi.h>
#include <stdio.h>

#define CELLS 5

int main(int argc, char **argv)
{
    int rank, np, periodic = 1, left, right;
    double u[CELLS + 2];
    MPI_Comm ring;
    MPI_Request from_left, from_right;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &np, &periodic, 0, &ring); //@ ring
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &left, &right);
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = 10 * rank + i;

    for (int step = 0; step < 2; step++) {
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, ring, &from_left); //@ from_left
        //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallv` is one call for it
        MPI_Irecv(&u[CELLS + 1], 1, MPI_DOUBLE, right, 2, ring, &from_right); //@ from_right
        MPI_Send(&u[1], 1, MPI_DOUBLE, left, 2, ring); //@ to_left
        MPI_Send(&u[CELLS], 1, MPI_DOUBLE, right, 1, ring); //@ to_right
        MPI_Wait(&from_left, MPI_STATUS_IGNORE);
        MPI_Wait(&from_right, MPI_STATUS_IGNORE);
        for (int i = 1; i <= CELLS; i++)
            u[i] += u[i - 1] - u[i + 1] / 3;
    }
    printf("%d: %.17g %.17g\n", rank, u[1], u[CELLS]);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
