/* A sweep along a line of processes, down and up again, several times: each waits for the one before it and lets the next one go on. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @down -> @from_above
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 3
 *   channel: @up -> @from_below
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 3
 *   pattern: shift of @down -> @from_above
 *   pattern: shift of @up -> @from_below
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double edge = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int sweep = 0; sweep < 3; sweep++) {
        if (rank > 0)
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from_above
        edge += 1;
        if (rank < np - 1)
            MPI_Send(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ down
        if (rank < np - 1)
            MPI_Recv(&edge, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from_below
        edge += 1;
        if (rank > 0)
            MPI_Send(&edge, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD); //@ up
    }
    printf("rank %d: %g\n", rank, edge);

    MPI_Finalize();
    return 0;
}
