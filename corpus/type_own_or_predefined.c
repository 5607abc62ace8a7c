/* Even ranks send with a type of their own, odd ranks with MPI_DOUBLE; only who made a type commits and frees it.
 *
 * Right; near-miss of datatype-leak and datatype-uncommitted.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [np-1..2*(np / 2)-1] to 0
 *     receivers [0..0] from np - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [0..2*(np / 2)-2] step 2 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 from rank - 1
 *     1 datatype of line 46 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [1..2*(np / 2)-3] step 2 for even np >= 2 to rank + 1
 *     receivers [2..2*(np / 2)-2] step 2 for even np >= 2 from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [np-1..2*(np / 2)] for odd np >= 1 to 0
 *     receivers [0..0] for odd np >= 1 from np - 1
 *     1 datatype of line 46 (6 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *     senders [1..2*(np / 2)-1] step 2 for odd np >= 1 to rank + 1
 *     receivers [2..2*(np / 2)] step 2 for odd np >= 1 from rank - 1
 *     6 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *   pattern: shift of MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 *   pattern: shift of MPI_Sendrecv line +20 -> MPI_Sendrecv line +20
 */
#include <mpi.h>

#define N 6

int main(int argc, char **argv)
{
    int rank, size, count = N;
    double a[N * N] = {0}, in[N];
    MPI_Datatype type = MPI_DOUBLE;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank % 2 == 0) {
        MPI_Type_vector(N, 1, N, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        count = 1;
    }
    MPI_Sendrecv(a, count, type, (rank + 1) % size, 0, in, N, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (type != MPI_DOUBLE)
        MPI_Type_free(&type);

    MPI_Finalize();
    return 0;
}
