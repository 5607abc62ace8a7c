/* Each process writes to each other one, and signs with its own rank: the tag is the sender, not the receiver. */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +13: there are ever more kinds of processes or messages
 *   because: not every number of processes was followed to an end
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [4..4] to each of [0..4]
 *     receivers [0..4] from 4
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [3..3] to each of [0..4]
 *     receivers [0..4] from 3
 *     1 MPI_INT, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [2..2] to each of [0..4]
 *     receivers [0..4] from 2
 *     1 MPI_INT, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [1..1] to each of [0..4]
 *     receivers [0..4] from 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [0..0] to each of [0..4]
 *     receivers [0..4] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of MPI_Isend line +16 -> MPI_Irecv line +14
 *   pattern: fan-out of MPI_Isend line +16 -> MPI_Irecv line +14
 *   pattern: fan-out of MPI_Isend line +16 -> MPI_Irecv line +14
 *   pattern: fan-out of MPI_Isend line +16 -> MPI_Irecv line +14
 *   pattern: fan-out of MPI_Isend line +16 -> MPI_Irecv line +14
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int me, procs, letter = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    int *mail = malloc(procs * sizeof *mail);
    MPI_Request *open = malloc(2 * procs * sizeof *open);
    for (int from = 0; from < procs; from++)
        MPI_Irecv(&mail[from], 1, MPI_INT, from, from, MPI_COMM_WORLD, &open[from]);
    for (int to = 0; to < procs; to++)
        MPI_Isend(&letter, 1, MPI_INT, to, me, MPI_COMM_WORLD, &open[procs + to]);
    for (int k = 0; k < 2 * procs; k++)
        MPI_Wait(&open[k], MPI_STATUS_IGNORE);
    free(open);
    free(mail);
    MPI_Finalize();
    return 0;
}
