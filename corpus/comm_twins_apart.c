/* A helper duplicates MPI_COMM_WORLD twice. Messages on the first twin and on the second do not mix, though both come from one call. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +19 -> line +23
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   channel: line +20 -> line +24
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 MPI_INT, tag 0, duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_dup line +5, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 *   pattern: shift of line +19 -> line +23
 *   pattern: shift of line +20 -> line +24
 */
#include <mpi.h>

static void twin(MPI_Comm *out)
{
    MPI_Comm_dup(MPI_COMM_WORLD, out);
}

int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Comm one, other;

    MPI_Init(&argc, &argv);
    twin(&one);
    twin(&other);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank % 2 == 0 && rank + 1 < size) {
        MPI_Send(&x, 1, MPI_INT, rank + 1, 0, one);
        MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, other);
    }
    if (rank % 2 == 1) {
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, one, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, other, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&one);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
