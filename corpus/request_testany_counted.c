/* The root polls until both answers are there, one after the other.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +22 -> MPI_Irecv line +15
 *     senders [1..2] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from each of [1..2]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +22 -> MPI_Irecv line +15
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, which = 0, flag = 0, done = 0;
    int answers[2] = {0, 0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np > 2 && rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&answers[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &requests[i]);
        while (done < 2) {
            MPI_Testany(2, requests, &which, &flag, MPI_STATUS_IGNORE);
            if (flag)
                done++;
        }
    } else if (np > 2 && rank < 3) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return which + flag + done < 0;
}
