/* What is being sent may be read, and sent a second time.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend line +14 -> line +17
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend line +15 -> line +18
 *     senders [0..np-1] to (rank - 1 + np) % np
 *     receivers [0..np-1] from (rank + 1) % np
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Isend line +14 -> line +17
 *   pattern: ring of MPI_Isend line +15 -> line +18
 *   fact: line +16 printf on [0..0], [1..1], [1..np-2]: value = 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, value = 1, in[2];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;

    MPI_Isend(&value, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &requests[1]);
    printf("%d\n", value);
    MPI_Recv(&in[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&in[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    value = in[0] + in[1];
    MPI_Finalize();
    return 0;
}
