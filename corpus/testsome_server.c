/* A root that looks at its requests now and then, and answers those that are complete.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   assuming: @look: completed operations are listed in the order of their requests
 *   because: line +21: whether `MPI_Send` in @thank is reached depends on data that may differ between ranks
 *   because: @thank: the partner of `MPI_Send` is not known
 *   because: the channels shown are those of np = 5
 *   channel: @thank -> @thanked
 *     senders [0..0] to each of [1..4]
 *     receivers [1..4] from 0
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [1..4] to 0
 *     receivers [0..0] from each of [1..4]
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @thank -> @thanked
 *   pattern: gather of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        int left = np - 1, number;
        int *got = malloc(np * sizeof(int)), *which = malloc(np * sizeof(int));
        MPI_Request *request = malloc(np * sizeof(MPI_Request));

        for (int i = 0; i < np - 1; i++)
            MPI_Irecv(&got[i], 1, MPI_INT, i + 1, 3, MPI_COMM_WORLD, &request[i]);                //@ take
        while (left > 0) {
            MPI_Testsome(np - 1, request, &number, which, MPI_STATUSES_IGNORE);                   //@ look
            for (int k = 0; k < number; k++)
                MPI_Send(&value, 1, MPI_INT, which[k] + 1, 4, MPI_COMM_WORLD);                    //@ thank
            if (number != MPI_UNDEFINED)
                left -= number;
        }
        free(request);
        free(which);
        free(got);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);                                        //@ give
        MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                    //@ thanked
    }
    MPI_Finalize();
    return 0;
}
