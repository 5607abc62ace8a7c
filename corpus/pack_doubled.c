/* The loops before these sends do more than copy: one doubles what it packs, one converts it, and one leaves the list half empty.
 * No datatype does that.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give-doubled -> @take-doubled
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give-rounded -> @take-rounded
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     6 MPI_FLOAT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @give-spread -> @take-spread
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     12 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give-doubled -> @take-doubled
 *   pattern: shift of @give-rounded -> @take-rounded
 *   pattern: shift of @give-spread -> @take-spread
 */
#include <mpi.h>
#include <stdio.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, np;
    double u[N][N], doubled[N], spread[2 * N] = {0};
    float rounded[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            u[i][j] = rank + i * j;

    if (rank < np - 1) {
        for (int i = 0; i < N; i++)
            doubled[i] = 2 * u[i][0];
        MPI_Send(doubled, N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);                       //@ give-doubled
        for (int i = 0; i < N; i++)
            rounded[i] = u[i][1];
        MPI_Send(rounded, N, MPI_FLOAT, rank + 1, 1, MPI_COMM_WORLD);                        //@ give-rounded
        for (int i = 0; i < N; i++)
            spread[2 * i] = u[i][2];
        MPI_Send(spread, 2 * N, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD);                    //@ give-spread
    }
    if (rank > 0) {
        MPI_Recv(doubled, N, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ take-doubled
        MPI_Recv(rounded, N, MPI_FLOAT, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take-rounded
        MPI_Recv(spread, 2 * N, MPI_DOUBLE, rank - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take-spread
        printf("rank %d: %g %g %g\n", rank, doubled[1], rounded[1], spread[2]);
    }

    MPI_Finalize();
    return 0;
}
