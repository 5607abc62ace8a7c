/* Two messages with different tags, received in the opposite order: right, because the sends do not wait for each other.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @header -> @header-in
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @body -> @body-in
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     10 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @header -> @header-in
 *   pattern: shift of MPI_Isend @body -> @body-in
 */
#include <mpi.h>

enum { HEADER = 1, BODY = 2 };

int main(int argc, char **argv)
{
    int rank, np, header = 0;
    double body[10] = {0};
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank < np - 1) {
        MPI_Isend(&header, 1, MPI_INT, rank + 1, HEADER, MPI_COMM_WORLD, &requests[0]);             //@ header
        MPI_Isend(body, 10, MPI_DOUBLE, rank + 1, BODY, MPI_COMM_WORLD, &requests[1]);              //@ body
    }
    if (rank > 0) {
        double theirs[10];
        int their_header;

        MPI_Recv(theirs, 10, MPI_DOUBLE, rank - 1, BODY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);        //@ body-in
        MPI_Recv(&their_header, 1, MPI_INT, rank - 1, HEADER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ header-in
    }
    if (rank < np - 1)
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

    MPI_Finalize();
    return 0;
}
