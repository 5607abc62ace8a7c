/* Who a rank is fits in a few bits that share a byte.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

struct role {
    unsigned is_first : 1;
    unsigned is_last : 1;
    unsigned hops : 6;
};

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    struct role role = { 0 };

    role.is_first = rank == 0;
    role.is_last = rank == np - 1;
    role.hops = 1;
    if (!role.is_first)
        MPI_Recv(&x, 1, MPI_INT, rank - (int)role.hops, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  //@ take
    if (!role.is_last)
        MPI_Send(&x, 1, MPI_INT, rank + (int)role.hops, 0, MPI_COMM_WORLD);                     //@ pass

    MPI_Finalize();
    return 0;
}
