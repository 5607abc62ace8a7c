/* Between the loop that packs for a message and its send, another loop gives the array new values for the next message: sent from where
 * they were, the elements would be other ones.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give-first -> @take-first
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give-second -> @take-second
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     12 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give-first -> @take-first
 *   pattern: shift of @give-second -> @take-second
 */
#include <mpi.h>
#include <stdio.h>

#define N 6

static void take(double *list, int from)
{
    double got[N];

    MPI_Recv(got, N, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ take-first
    for (int i = 0; i < N; i++) //~ NOTE use-datatype: unpacks
        list[i * 2] = got[i];
    MPI_Recv(list, 2 * N, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take-second
}

int main(int argc, char **argv)
{
    int rank, np;
    double u[2 * N][N], column[2 * N], packed[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < 2 * N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = rank + 10 * i + j;
    for (int i = 0; i < 2 * N; i++)
        column[i] = -i;

    if (rank < np - 1) {
        for (int i = 0; i < N; i++)
            packed[i] = column[2 * i];
        for (int i = 0; i < 2 * N; i++) //~ MAY use-datatype
            column[i] = u[i][1];
        MPI_Send(packed, N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);              //@ give-first
        MPI_Send(column, 2 * N, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);          //@ give-second
    }
    if (rank > 0)
        take(column, rank - 1);

    printf("rank %d: %g %g\n", rank, column[0], column[2 * N - 1]);
    MPI_Finalize();
    return 0;
}
