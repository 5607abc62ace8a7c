/* Neighbours in pairs, found by flipping the lowest bit of the rank: 0 with 1, 2 with 3, and so on.
 *
 * With an odd number of processes the last one has no partner.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 *     senders {2*i + j: i in [0..(np / 2)-1], j in [0..1]} to 2*i + (1 - j)
 *     receivers {2*i + j: i in [0..(np / 2)-1], j in [0..1]} from 2*i + (1 - j)
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: mirror of MPI_Sendrecv @meet -> MPI_Sendrecv @meet
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, theirs = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int partner = rank ^ 1;
    if (partner < np)
        MPI_Sendrecv(&rank, 1, MPI_INT, partner, 0, &theirs, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, //@ meet
                     MPI_STATUS_IGNORE);
    printf("rank %d met %d\n", rank, theirs);

    MPI_Finalize();
    return 0;
}
