/* A process without a left neighbour receives from MPI_PROC_NULL, and unpacks the value that the list had before: as the edge of the
 * domain, which is meant. Nothing would be written there if the column was received where it belongs.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define N 5

int main(int argc, char **argv)
{
    int rank, np;
    double u[N][N], edge[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++) {
        edge[i] = -1;
        for (int j = 0; j < N; j++)
            u[i][j] = rank + i * j;
    }

    if (rank < np - 1)
        MPI_Send(u[1], N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                   //@ give
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    MPI_Recv(edge, N, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ take
    for (int i = 0; i < N; i++) //~ NOTE use-datatype: unpacks
        u[i][0] = edge[i];

    for (int i = 0; i < N; i++)
        printf("rank %d row %d: %g\n", rank, i, u[i][0]);
    MPI_Finalize();
    return 0;
}
