/* Two entries of the array hold the same type, since both edges are columns; the loop at the end frees each entry. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 24 (6 double), tag unknown, MPI_COMM_WORLD, repeat 2
 *   pattern: ring of MPI_Sendrecv line +19 -> MPI_Sendrecv line +19
 */
#include <mpi.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}}, in[N];
    MPI_Datatype edges[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &edges[0]);
    MPI_Type_commit(&edges[0]);
    edges[1] = edges[0];
    for (int i = 0; i < 2; i++)
        MPI_Sendrecv(&a[0][i * (N - 1)], 1, edges[i], (rank + 1) % size, i, in, N, MPI_DOUBLE, (rank + size - 1) % size, i,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++)
        MPI_Type_free(&edges[i]); //~ MUST double-free

    MPI_Finalize();
    return 0;
}
