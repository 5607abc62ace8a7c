/* A rank puts to itself in an epoch that is with the other one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +30, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int memory[4] = {0}, value = 1;
    MPI_Group world, others;
    int partners[2];
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (size == 2) {
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        partners[0] = 1 - rank;
        MPI_Group_incl(world, 1, partners, &others);
        if (rank == 0) {
            MPI_Win_start(others, 0, window);
            MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window); //~ MUST rma-epoch: not in the group
            MPI_Win_complete(window);
        } else {
            MPI_Win_post(others, 0, window);
            MPI_Win_wait(window);
        }
        MPI_Group_free(&others);
        MPI_Group_free(&world);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return memory[0] + value < 0;
}
