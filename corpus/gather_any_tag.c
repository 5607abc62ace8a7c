/* The root takes one message of every other rank whatever its tag, which says whether the rank found something.
 *
 * Ranks whose number is divisible by three send tag 1, the others tag 2.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define FOUND 1
#define NOTHING 2

int main(int argc, char **argv)
{
    int rank, np, found = 0;
    long value = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank != 0) {
        int tag = rank % 3 == 0 ? FOUND : NOTHING;

        MPI_Send(&value, 1, MPI_LONG, 0, tag, MPI_COMM_WORLD);                        //@ give
    } else {
        for (int from = 1; from < np; from++) {
            MPI_Recv(&value, 1, MPI_LONG, from, MPI_ANY_TAG, MPI_COMM_WORLD, &status); //@ take
            if (status.MPI_TAG == FOUND)
                found++;
        }
        printf("%d found something\n", found);
    }

    MPI_Finalize();
    return 0;
}
