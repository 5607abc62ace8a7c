/* A communicator of the first half of the processes, rounded up, made from a group of listed ranks.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [1..((np+1) / 2)-1]
 *     receivers [1..((np+1) / 2)-1] from 0
 *     1 MPI_INT, tag 0, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, me, value = 0;
    MPI_Group everybody, half;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int members = (np + 1) / 2;
    int *ranks = malloc(members * sizeof(int));
    for (int i = 0; i < members; i++)
        ranks[i] = i;

    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_incl(everybody, members, ranks, &half);
    MPI_Comm_create(MPI_COMM_WORLD, half, &comm);                                  //@ create

    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &me);
        if (me == 0) {
            for (int i = 1; i < members; i++)
                MPI_Send(&value, 1, MPI_INT, i, 0, comm);                          //@ give
        } else {
            MPI_Recv(&value, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);           //@ take
        }
        MPI_Comm_free(&comm);
    }

    MPI_Group_free(&half);
    MPI_Group_free(&everybody);
    free(ranks);
    MPI_Finalize();
    return 0;
}
