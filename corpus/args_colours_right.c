/* The first process stays outside, the others are split by a colour that is never negative.
 *
 * Right; near-miss of invalid-count.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +16: all processes share memory
 *   collective: MPI_Comm_split line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split_type line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, colour;
    MPI_Comm part, node;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    colour = rank - 1;
    if (colour < 0)
        colour = MPI_UNDEFINED;
    MPI_Comm_split(MPI_COMM_WORLD, colour, -rank, &part);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
