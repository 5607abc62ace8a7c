/* A ring as a graph, in which what goes to the first neighbour comes from the first, and so does what goes to the second: so it is even
 * where both are one process.
 */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to_right -> MPI_Irecv @from_left
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_DOUBLE, tag 1, graph of MPI_COMM_WORLD, repeat 2
 *   channel: MPI_Isend @to_left -> MPI_Irecv @from_right
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_DOUBLE, tag 2, graph of MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Dist_graph_create_adjacent @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @to_right -> MPI_Irecv @from_left
 *   pattern: ring of MPI_Isend @to_left -> MPI_Irecv @from_right
 */
#include <mpi.h>
#include <stdio.h>

#define CELLS 5

int main(int argc, char **argv)
{
    int rank, np;
    double u[CELLS + 2];
    MPI_Comm ring;
    MPI_Request requests[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    int sources[2] = {left, right}, destinations[2] = {right, left};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations, MPI_UNWEIGHTED, //@ make
                                   MPI_INFO_NULL, 0, &ring);
    for (int i = 0; i < CELLS + 2; i++)
        u[i] = 10 * rank + i;

    for (int step = 0; step < 2; step++) {
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 1, ring, &requests[0]); //@ from_left
        //~^ NOTE use-neighbor-collective: `MPI_Neighbor_alltoallv` is one call for it
        MPI_Irecv(&u[CELLS + 1], 1, MPI_DOUBLE, right, 2, ring, &requests[1]); //@ from_right
        MPI_Isend(&u[CELLS], 1, MPI_DOUBLE, right, 1, ring, &requests[2]); //@ to_right
        MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 2, ring, &requests[3]); //@ to_left
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (int i = 1; i <= CELLS; i++)
            u[i] += u[i - 1] - u[i + 1] / 3;
    }
    printf("%d: %.17g %.17g\n", rank, u[1], u[CELLS]);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
