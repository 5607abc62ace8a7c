/* A communicator of all processes but rank 0, made by leaving rank 0 out of the group; its members form a ring.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [np-1..np-1] for np >= 2 to 1
 *     receivers [1..1] for np >= 2 from np - 1
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [1..np-2] to rank + 1
 *     receivers [2..np-1] from rank - 1
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @all, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, size, token = 0;
    const int server[1] = {0};
    MPI_Group everybody, clients;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_excl(everybody, 1, server, &clients);
    MPI_Comm_create(MPI_COMM_WORLD, clients, &comm);                                        //@ create
    MPI_Group_free(&clients);
    MPI_Group_free(&everybody);

    if (rank > 0) {
        MPI_Comm_rank(comm, &me);
        MPI_Comm_size(comm, &size);
        token = me;
        MPI_Sendrecv_replace(&token, 1, MPI_INT, (me + 1) % size, 0, (me - 1 + size) % size, 0, comm, //@ pass
                             MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
    }
    MPI_Bcast(&token, 1, MPI_INT, 0, MPI_COMM_WORLD);                                       //@ all

    MPI_Finalize();
    return 0;
}
