/* A message is received that no probe has found, and one is received twice.
 */
/* expect:
 *   verdict: unknown
 *   assuming: the command line is the same on every rank
 *   because: line +14: the message of `MPI_Mrecv` is not known
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Message found, never;

    MPI_Init(&argc, &argv);
    if (argc > 1) {
        MPI_Mrecv(&x, 1, MPI_INT, &never, MPI_STATUS_IGNORE); //~ MUST invalid-request: the message of MPI_Mrecv is never set
    } else {
        MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Mrecv(&x, 1, MPI_INT, &found, MPI_STATUS_IGNORE);
        MPI_Mrecv(&x, 1, MPI_INT, &found, MPI_STATUS_IGNORE); //~ MUST invalid-request: the message of MPI_Mrecv is MPI_MESSAGE_NULL
    }
    MPI_Finalize();
    return x;
}
