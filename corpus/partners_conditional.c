/* The partners are the even ranks, found by a condition in the loop that lists them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..0] for odd np >= 3 to 2*(np / 2)
 *     receivers [2*(np / 2)..2*(np / 2)] for odd np >= 3 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [0..0] to each of [2..2*(np / 2)-2] step 2
 *     receivers [2..2*(np / 2)-2] step 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @give -> @take
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
    for (int i = 1; i < np; i++)
        if (i % 2 == 0)
            partner[partners++] = i;

    if (rank == 0) {
        for (int k = 0; k < partners; k++)
            MPI_Send(&value, 1, MPI_INT, partner[k], 0, MPI_COMM_WORLD);           //@ give
    } else if (rank % 2 == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     //@ take
    }

    free(partner);
    MPI_Finalize();
    return 0;
}
