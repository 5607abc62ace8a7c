/* A communicator of all processes in descending order, made from a group of listed ranks: its first member is the last process.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, me, size, value = 0;
    MPI_Group everybody, turned;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *ranks = malloc(np * sizeof(int));
    for (int i = 0; i < np; i++)
        ranks[i] = np - 1 - i;

    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_incl(everybody, np, ranks, &turned);
    MPI_Comm_create(MPI_COMM_WORLD, turned, &comm);                                 //@ create

    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &me);
        MPI_Comm_size(comm, &size);
        if (me > 0)
            MPI_Recv(&value, 1, MPI_INT, me - 1, 0, comm, MPI_STATUS_IGNORE);      //@ take
        if (me < size - 1)
            MPI_Send(&value, 1, MPI_INT, me + 1, 0, comm);                         //@ pass
        MPI_Comm_free(&comm);
    }

    MPI_Group_free(&turned);
    MPI_Group_free(&everybody);
    free(ranks);
    MPI_Finalize();
    return 0;
}
