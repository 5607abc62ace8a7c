/* Each process lists two elements of the other one, of which the second gives one only.
 */
/* expect:
 *   np: 2
 *   verdict: exact for np = 2
 *   collective: MPI_Allgatherv line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, lengths[2] = {2, 2}, starts[2] = {0, 2}, own[2] = {0}, all[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allgatherv(own, rank == 0 ? 2 : 1, MPI_INT, all, lengths, starts, MPI_INT, MPI_COMM_WORLD); //~ MUST count-mismatch: 2 MPI_INT listed for rank 1 and with 1 MPI_INT at that rank
    MPI_Finalize();
    return all[0];
}
