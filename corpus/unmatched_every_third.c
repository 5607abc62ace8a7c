/* Every third process asks for a note that nobody writes: ranks 0, 3, 6 and so on, and no others. */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int me, note = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me % 3 == 0)
        MPI_Recv(&note, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //~ MUST unmatched-recv: never comes
    MPI_Finalize();
    return 0;
}
