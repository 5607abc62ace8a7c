/* The ranks look up what to do in a table of functions, with an index that is 0 on rank 0 and 1 on the others: one broadcasts while
 * the others reduce.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +5, root 0, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

static void leader(int *value)
{
    MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);   //~ MUST collective-mismatch
}

static void worker(int *value)
{
    int mine = *value;

    MPI_Reduce(&mine, value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void (*const roles[])(int *value) = {leader, worker};

int main(int argc, char **argv)
{
    int rank, value;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    value = rank;
    roles[rank > 0](&value);

    MPI_Finalize();
    return 0;
}
