/* Two halves are connected, and then without the first process of each: the second ones become the first, and meet their counterpart.
 */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 4
 *   channel: @tell -> @hear
 *     senders [(np / 2)+1..(np / 2)+1] to 1
 *     receivers [1..1] from (np / 2) + 1
 *     1 MPI_INT, tag 1, part of intercommunicator of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @halves, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [0..(np / 2)-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Intercomm_create @connect, ranks [(np / 2)..np-1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create @leave, ranks [0..(np / 2)-1] and [(np / 2)..np-1], intercommunicator of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, own, there, x = 0, none[1] = {0};
    MPI_Comm half, both, rest;
    MPI_Group all, others;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 4)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int right = rank >= np / 2;
    MPI_Comm_split(MPI_COMM_WORLD, right, rank, &half);                            //@ halves
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : np / 2, 3, &both);   //@ connect
    MPI_Comm_group(both, &all);
    MPI_Group_excl(all, 1, none, &others);
    MPI_Comm_create(both, others, &rest);                                          //@ leave
    if (rest != MPI_COMM_NULL) {
        MPI_Comm_rank(rest, &own);
        MPI_Comm_remote_size(rest, &there);
        if (own == 0 && right)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, rest);                               //@ tell
        if (own == 0 && !right) {
            MPI_Recv(&x, 1, MPI_INT, 0, 1, rest, MPI_STATUS_IGNORE);               //@ hear
            printf("one of %d: %d\n", there, x);
        }
        MPI_Comm_free(&rest);
    }
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
