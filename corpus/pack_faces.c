/* A cube with a layer of ghosts: the three faces that go to the next process are packed by two loops each. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @x -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     16 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @y -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     16 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @z -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     16 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @x -> @take
 *   pattern: shift of @y -> @take
 *   pattern: shift of @z -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define N 4

int main(int argc, char **argv)
{
    int rank, np, k;
    double u[N + 2][N + 2][N + 2], face[N * N], got[3][N * N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int x = 0; x < N + 2; x++)
        for (int y = 0; y < N + 2; y++)
            for (int z = 0; z < N + 2; z++)
                u[x][y][z] = rank + 0.1 * x + 0.01 * y + 0.001 * z;

    if (rank < np - 1) {
        k = 0;
        for (int y = 1; y <= N; y++) //~ NOTE use-datatype: MPI_Type_vector
            for (int z = 1; z <= N; z++)
                face[k++] = u[N][y][z];
        MPI_Send(face, N * N, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ x
        k = 0;
        for (int x = 1; x <= N; x++) //~ NOTE use-datatype: MPI_Type_vector
            for (int z = 1; z <= N; z++)
                face[k++] = u[x][N][z];
        MPI_Send(face, N * N, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD); //@ y
        k = 0;
        for (int x = 1; x <= N; x++) //~ NOTE use-datatype: MPI_Type_create_hvector
            for (int y = 1; y <= N; y++)
                face[k++] = u[x][y][N];
        MPI_Send(face, N * N, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD); //@ z
    }
    if (rank > 0) {
        for (int d = 0; d < 3; d++)
            MPI_Recv(got[d], N * N, MPI_DOUBLE, rank - 1, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        for (int d = 0; d < 3; d++)
            printf("rank %d: %.3f %.3f\n", rank, got[d][1], got[d][N * N - 1]);
    }
    MPI_Finalize();
    return 0;
}
