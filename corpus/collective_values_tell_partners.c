/* Whom to write to, how much and with which tag comes out of collectives of numbers that all can compute: a scan,
 * a gather to all, an exchange of numbers, the place of the greatest number.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +29: whether `MPI_Send` in line +32 is reached depends on data that may differ between ranks
 *   because: the channels shown are those of np = 5
 *   lengths: not proved, line +28: how many bytes MPI_Allreduce accesses of its buffer is not known
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [4..4] to 0
 *     receivers [0..0] from 4
 *     5 MPI_DOUBLE, tag 10, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [2..2] to 3
 *     receivers [3..3] from 2
 *     3 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [3..3] to 4
 *     receivers [4..4] from 3
 *     4 MPI_DOUBLE, tag 6, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..1] to rank + 1
 *     receivers [1..2] from rank - 1
 *     receiver MPI_DOUBLE, tag receiver - 1, MPI_COMM_WORLD, repeat 1
 *   channel: line +32 -> line +34
 *     senders [0..0] to each of [1..4]
 *     receivers [1..4] from 0
 *     5 MPI_DOUBLE, tag 500, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allgather line +17, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Exscan line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoall line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +28, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *   pattern: fan-out of line +32 -> line +34
 */
#include <mpi.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
    int me, procs;
    int lengths[MOST], asked[MOST], wanted[MOST];
    double data[MOST] = {0}, got[MOST];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (procs > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int length = 1 + me, before = 0;
    MPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Exscan(&length, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        before = 0;
    for (int rank = 0; rank < procs; rank++)
        asked[rank] = me + rank;
    MPI_Alltoall(asked, 1, MPI_INT, wanted, 1, MPI_INT, MPI_COMM_WORLD);
    int right = (me + 1) % procs, left = (me + procs - 1) % procs;
    MPI_Sendrecv(data, length, MPI_DOUBLE, right, before, got, lengths[left], MPI_DOUBLE, left, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    struct { int value, rank; } mine = {procs - me, me}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (me == most.rank && wanted[0] >= 0) {
        for (int rank = 0; rank < procs; rank++)
            if (rank != me)
                MPI_Send(data, most.value, MPI_DOUBLE, rank, 500, MPI_COMM_WORLD);
    } else {
        MPI_Recv(got, MOST, MPI_DOUBLE, most.rank, 500, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
