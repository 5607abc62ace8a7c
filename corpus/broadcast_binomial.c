/* A broadcast by doubling: in round k the first 2^k ranks have the value, and each gives it to the rank 2^k above, if any.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: there are no more than 1073741824 processes
 *   channel: @give -> @take
 *     senders [0..m-1] for np >= 2*m, m = 1, 2, 4, ..., 2^29 to rank + m
 *     receivers [m..2*m-1] for np >= 2*m, m = 1, 2, 4, ..., 2^29 from rank - m
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..np-m-1] for np = m..2*m - 1, m = 4, 8, 16, ..., 2^29 to rank + m
 *     receivers [m..np-1] for np = m..2*m - 1, m = 4, 8, 16, ..., 2^29 from rank - m
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] for np = 3 to 2
 *     receivers [2..2] for np = 3 from 0
 *     5 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    double x[5] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int have = 1; have < np; have *= 2) {
        if (rank < have) {
            if (rank + have < np)
                MPI_Send(x, 5, MPI_DOUBLE, rank + have, 0, MPI_COMM_WORLD);                          //@ give //~ NOTE use-collective: MPI_Bcast
        } else if (rank < 2 * have) {
            MPI_Recv(x, 5, MPI_DOUBLE, rank - have, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);           //@ take
        }
    }

    MPI_Finalize();
    return 0;
}
