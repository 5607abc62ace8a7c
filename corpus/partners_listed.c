/* The root lists its partners in one loop, from the last to the first, and serves them in others.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @ask -> @listen
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> @hear
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @ask -> @listen
 *   pattern: gather of @answer -> @hear
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, rank, partners = 0, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    int *partner = malloc(np * sizeof(int));
    if (rank == 0) {
        for (int i = np - 1; i > 0; i--)
            partner[partners++] = i;
    } else {
        partner[partners++] = 0;
    }

    if (rank == 0) {
        for (int k = 0; k < partners; k++)
            MPI_Send(&value, 1, MPI_INT, partner[k], 0, MPI_COMM_WORLD);           //@ ask //~ NOTE use-collective: MPI_Bcast
        for (int k = 0; k < partners; k++)
            MPI_Recv(&value, 1, MPI_INT, partner[k], 1, MPI_COMM_WORLD,            //@ hear
                     MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, partner[0], 0, MPI_COMM_WORLD,                //@ listen
                 MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, partner[0], 1, MPI_COMM_WORLD);               //@ answer
    }

    free(partner);
    MPI_Finalize();
    return 0;
}
