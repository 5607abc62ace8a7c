/* A process opens its memory twice: first for gets, and says so, then for a put.
 */
/* expect:
 *   np: >= 2
 *   verdict: bounded to 2..5
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   because: line +17: a list of `MPI_Group_incl` needs more processes
 *   because: the channels shown are those of np = 5
 *   collective: MPI_Win_create line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +33, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int memory[4] = {0}, value = 1;
    MPI_Group world, other;
    int partners[1];
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    partners[0] = rank == 0 ? 1 : 0;
    MPI_Group_incl(world, 1, partners, &other);
    if (rank == 0) {
        MPI_Win_post(other, MPI_MODE_NOPUT | MPI_MODE_NOSTORE, window);
        MPI_Win_wait(window);
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    } else if (rank == 1) {
        MPI_Win_start(other, 0, window);
        MPI_Get(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Win_start(other, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    MPI_Finalize();
    return memory[0] + value < 0;
}
