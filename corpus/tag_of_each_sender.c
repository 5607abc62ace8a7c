/* Each process writes to each other one, and signs with its own rank: the tag is the sender, not the receiver. */
/* expect:
 *   verdict: exact for any np >= 1
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: MPI_Isend line +16 -> MPI_Irecv line +14
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     1 MPI_INT, tag sender, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend line +16 -> MPI_Irecv line +14
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
        MPI_Isend(&letter, 1, MPI_INT, to, me, MPI_COMM_WORLD, &open[procs + to]); //~ NOTE use-collective: MPI_Allgather
    for (int k = 0; k < 2 * procs; k++)
        MPI_Wait(&open[k], MPI_STATUS_IGNORE);
    free(open);
    free(mail);
    MPI_Finalize();
    return 0;
}
