/* Each process but the last sends the end of its list to the next one, which needs it only after it has summed up its own list.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     2 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, n = 40;
    double before[2] = {0, 0}, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    double *list = malloc(n * sizeof(double));
    if (list == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < n; i++)
        list[i] = rank + i % 7;

    if (rank < np - 1)
        MPI_Send(&list[n - 2], 2, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                  //@ give
        //~^ NOTE overlap-communication
    if (rank > 0)
        MPI_Recv(before, 2, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take

    double most = list[0];
    for (int i = 1; i < n; i++) {
        sum += list[i] * list[i - 1];
        if (list[i] > most)
            most = list[i];
    }
    sum += before[0] * before[1];

    printf("rank %d: %.3f %.3f\n", rank, sum, most);
    free(list);
    MPI_Finalize();
    return 0;
}
