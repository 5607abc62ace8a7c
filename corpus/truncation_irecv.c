/* A nonblocking ring exchange whose receives were posted for half a row.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, @take: message-truncation
 *   channel: MPI_Isend @pass -> MPI_Irecv @take
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     24 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend @pass -> MPI_Irecv @take
 */
#include <mpi.h>

#define COLUMNS 24

int main(int argc, char **argv)
{
    int rank, np;
    float row[COLUMNS] = {0}, other[COLUMNS];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    MPI_Irecv(other, COLUMNS / 2, MPI_FLOAT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &requests[0]); //@ take
    //~^ MUST message-truncation: 96 bytes
    MPI_Isend(row, COLUMNS, MPI_FLOAT, (rank + 1) % np, 0, MPI_COMM_WORLD, &requests[1]);            //@ pass
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
