/* All processes exchange a value with all others; partners and tags are kept in an array of records.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @give -> @take
 *     senders [0..np-1] to each of [0..np-1]
 *     receivers [0..np-1] from each of [0..np-1]
 *     1 MPI_INT, tag 100, MPI_COMM_WORLD, repeat 1
 *   pattern: all-to-all of MPI_Isend @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

struct partner {
    int rank, tag;
    MPI_Request request;
};

int main(int argc, char **argv)
{
    int np, rank, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    struct partner *partners = malloc(np * sizeof *partners);
    int *inbox = malloc(np * sizeof(int));
    for (int i = 0; i < np; i++) {
        partners[i].rank = i;
        partners[i].tag = 100;
    }

    for (int i = 0; i < np; i++)
        MPI_Isend(&rank, 1, MPI_INT, partners[i].rank, partners[rank].tag,         //@ give
                  MPI_COMM_WORLD, &partners[i].request);
    for (int i = 0; i < np; i++)
        MPI_Recv(&inbox[i], 1, MPI_INT, partners[i].rank, partners[i].tag,         //@ take
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < np; i++) {
        MPI_Wait(&partners[i].request, MPI_STATUS_IGNORE);
        sum += inbox[i];
    }

    free(inbox);
    free(partners);
    MPI_Finalize();
    return sum < 0;
}
