/* The tag comes out of a record that a function fills: nobody sees at the call that it is negative.
 */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 2
 */
#include <mpi.h>

struct settings {
    int tag;
    int rounds;
};

static struct settings standard(int kind)
{
    struct settings made = { 10 * kind, 3 };
    return made;
}

int main(int argc, char **argv)
{
    int rank, x = 0;
    struct settings settings = standard(-2);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, settings.tag, MPI_COMM_WORLD); //~ MUST invalid-tag: -20
    if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, settings.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MAY invalid-tag
    MPI_Finalize();
    return 0;
}
