/* An allgather in two phases: the root collects one number of every rank, then sends the whole table to all of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @collect -> @collect-in
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @spread -> @spread-in
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     np MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @collect -> @collect-in
 *   pattern: fan-out of @spread -> @spread-in
 */
#include <mpi.h>
#include <stdlib.h>

static void collect(int *table, int rank, int np)
{
    if (rank == 0) {
        for (int from = 1; from < np; from++)
            MPI_Recv(&table[from], 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ collect-in //~ NOTE use-collective: MPI_Gather
    } else {
        MPI_Send(&table[rank], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                           //@ collect
    }
}

static void spread(int *table, int rank, int np)
{
    if (rank == 0) {
        for (int to = 1; to < np; to++)
            MPI_Send(table, np, MPI_INT, to, 1, MPI_COMM_WORLD);                            //@ spread //~ NOTE use-collective: MPI_Bcast
    } else {
        MPI_Recv(table, np, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);              //@ spread-in
    }
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *table = calloc(np, sizeof(int));
    table[rank] = 100 + rank;
    collect(table, rank, np);
    spread(table, rank, np);

    free(table);
    MPI_Finalize();
    return 0;
}
