/* A ring as a graph whose two lists name the left neighbour first. What goes to the left comes from the right, the second: of two
 * processes each would take the one message for the other. Right; near-miss of use-neighbor-collective.
 */
/* expect:
 *   compile-flags: -Wno-stringop-overflow -Wno-stringop-overread
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @to_left -> MPI_Sendrecv @to_left
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 0, graph of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @to_right -> MPI_Sendrecv @to_right
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, graph of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Dist_graph_create_adjacent @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @to_left -> MPI_Sendrecv @to_left
 *   pattern: ring of MPI_Sendrecv @to_right -> MPI_Sendrecv @to_right
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs[2];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int left = (rank + np - 1) % np, right = (rank + 1) % np;
    int mine[2] = {10 * rank, 10 * rank + 1}, neighbours[2] = {left, right};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, neighbours, MPI_UNWEIGHTED, 2, neighbours, MPI_UNWEIGHTED, //@ make
                                   MPI_INFO_NULL, 0, &ring);

    MPI_Sendrecv(&mine[0], 1, MPI_INT, left, 0, &theirs[1], 1, MPI_INT, right, 0, ring, MPI_STATUS_IGNORE); //@ to_left
    MPI_Sendrecv(&mine[1], 1, MPI_INT, right, 0, &theirs[0], 1, MPI_INT, left, 0, ring, MPI_STATUS_IGNORE); //@ to_right
    printf("%d: %d %d\n", rank, theirs[0], theirs[1]);

    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
