/* A pipeline of three roles, each a function: a source, stages, and a sink that sends a receipt to the source in the end.
 *
 * With two processes there is no stage, with one there is no pipeline.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @make -> @take
 *     senders [0..0] for np >= 3 to 1
 *     receivers [1..1] for np >= 3 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 4
 *   channel: @make -> @end
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 4
 *   channel: @pass -> @take
 *     senders [1..np-3] to rank + 1
 *     receivers [2..np-2] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 4
 *   channel: @pass -> @end
 *     senders [np-2..np-2] for np >= 3 to np - 1
 *     receivers [np-1..np-1] for np >= 3 from np - 2
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 4
 *   channel: @receipt -> @receipt-in
 *     senders [np-1..np-1] for np >= 2 to 0
 *     receivers [0..0] for np >= 2 from np - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>

enum { ITEM, RECEIPT };

static const int items = 4;

static void source(int sink)
{
    int received;

    for (int item = 0; item < items; item++)
        MPI_Send(&item, 1, MPI_INT, 1, ITEM, MPI_COMM_WORLD);                                //@ make
    MPI_Recv(&received, 1, MPI_INT, sink, RECEIPT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ receipt-in
}

static void stage(int rank)
{
    int item;

    for (int i = 0; i < items; i++) {
        MPI_Recv(&item, 1, MPI_INT, rank - 1, ITEM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ take
        item++;
        MPI_Send(&item, 1, MPI_INT, rank + 1, ITEM, MPI_COMM_WORLD);                         //@ pass
    }
}

static void sink(int rank)
{
    int item, received = 0;

    for (int i = 0; i < items; i++) {
        MPI_Recv(&item, 1, MPI_INT, rank - 1, ITEM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ end
        received++;
    }
    MPI_Send(&received, 1, MPI_INT, 0, RECEIPT, MPI_COMM_WORLD);                             //@ receipt
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np > 1) {
        if (rank == 0)
            source(np - 1);
        else if (rank == np - 1)
            sink(rank);
        else
            stage(rank);
    }

    MPI_Finalize();
    return 0;
}
