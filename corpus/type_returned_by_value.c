/* A helper makes types and returns them by value, committed; the caller keeps them in a record and frees them there.
 *
 * Right; near-miss of datatype-leak and datatype-uncommitted.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +28: how many bytes MPI_Sendrecv accesses of its buffer is not known
 *   lengths: not proved, line +30: how many bytes MPI_Sendrecv accesses of its buffer is not known
 *   channel: MPI_Sendrecv line +28 -> MPI_Sendrecv line +28
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 32, called at line 46 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +30 -> MPI_Sendrecv line +30
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 32, called at line 46 (6 double), tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +28 -> MPI_Sendrecv line +28
 *   pattern: ring of MPI_Sendrecv line +30 -> MPI_Sendrecv line +30
 */
#include <mpi.h>

#define N 6

struct edges {
    MPI_Datatype row, column;
};

static MPI_Datatype line(int stride)
{
    MPI_Datatype type;

    MPI_Type_vector(N, 1, stride, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank, size;
    double a[N][N] = {{0}}, ghost[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct edges edges = {line(1), line(N)};
    MPI_Sendrecv(&a[N - 1][0], 1, edges.row, (rank + 1) % size, 0, ghost, N, MPI_DOUBLE, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&a[0][N - 1], 1, edges.column, (rank + 1) % size, 1, ghost, N, MPI_DOUBLE, (rank + size - 1) % size, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&edges.row);
    MPI_Type_free(&edges.column);

    MPI_Finalize();
    return 0;
}
