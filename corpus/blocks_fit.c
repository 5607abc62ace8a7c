/* Blocks of different lengths: the root lists what each process has, and an empty block lies within another.
 *
 * Right; near-miss of count-mismatch and buffer-alias.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Scatterv line +13, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Gatherv line +14, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Gatherv line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgatherv line +17 line +19, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, all[8] = {0}, own[4] = {0}, none[2] = {4, 0}, inside[2] = {0, 2};
    int lengths[2] = {3, 4}, starts[2] = {0, 3};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Scatterv(all, lengths, starts, MPI_INT, own, rank == 0 ? 3 : 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(own, lengths[rank], MPI_INT, all, lengths, starts, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv(own, rank == 0 ? 4 : 0, MPI_INT, all, none, inside, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, lengths, starts, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, lengths, starts, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return all[0];
}
