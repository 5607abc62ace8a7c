/* The root sends header and body in this order, each until it is received; the others want the body first.
 *
 * With plain sends of short messages it would end.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

enum { HEADER = 1, BODY = 2 };

int main(int argc, char **argv)
{
    int rank, np, header = 0;
    double body[100] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        for (int to = 1; to < np; to++) {
            MPI_Ssend(&header, 1, MPI_INT, to, HEADER, MPI_COMM_WORLD);                          //~ MAY deadlock
            MPI_Ssend(body, 100, MPI_DOUBLE, to, BODY, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(body, 100, MPI_DOUBLE, 0, BODY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);             //~ MUST deadlock
        MPI_Recv(&header, 1, MPI_INT, 0, HEADER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    MPI_Finalize();
    return 0;
}
