/* A matched probe: the message that was found is taken out of the queue and received by its handle.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> MPI_Mrecv @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     3 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> MPI_Mrecv @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank < np - 1) {
        double data[3] = {1.0, 2.0, 3.0};

        MPI_Send(data, 3, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);      //@ pass
    }
    if (rank > 0) {
        MPI_Message message;
        MPI_Status status;
        int count;

        MPI_Mprobe(rank - 1, 0, MPI_COMM_WORLD, &message, &status);      //@ find
        MPI_Get_count(&status, MPI_DOUBLE, &count);
        double *data = malloc(count * sizeof(double));
        MPI_Mrecv(data, count, MPI_DOUBLE, &message, &status);           //@ take
        free(data);
    }

    MPI_Finalize();
    return 0;
}
