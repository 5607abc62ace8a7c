/* Every process sends itself a message on MPI_COMM_SELF and waits for it on a duplicate, where it never comes. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +10, ranks each of [0..np-1] alone, MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int mine = 1, seen = 0;
    MPI_Comm own;
    MPI_Request send;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    MPI_Isend(&mine, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &send);
    MPI_Recv(&seen, 1, MPI_INT, 0, 3, own, MPI_STATUS_IGNORE); //~ MUST deadlock: which waits as well
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
