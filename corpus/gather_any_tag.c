/* The root takes one message of every other rank whatever its tag, which says whether the rank found something.
 *
 * Ranks whose number is divisible by three send tag 1, the others tag 2.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [3*(np / 3)..3*(np / 3)+1] for np >= 8 with np % 3 = 2 to 0
 *     receivers [0..0] for np >= 8 with np % 3 = 2 from each of [3*(np / 3)..3*(np / 3)+1]
 *     1 MPI_LONG, tag sender - 3*(np / 3) + 1, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..2] for np = 3 and np >= 6 to 0
 *     receivers [0..0] for np = 3 and np >= 6 from each of [1..2]
 *     1 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders {3*i + j: i in [1..(np / 3)-1], j in [0..2]} for np = 3 and np >= 6 to 0
 *     receivers [0..0] for np = 3 and np >= 6 from each of {3*i + j: i in [1..(np / 3)-1], j in [0..2]}
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [3*(np / 3)..3*(np / 3)] for np >= 7 with np % 3 = 1 to 0
 *     receivers [0..0] for np >= 7 with np % 3 = 1 from 3*(np / 3)
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..4] for np = 5 to 0
 *     receivers [0..0] for np = 5 from each of [1..4]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..3] for np = 4 to 0
 *     receivers [0..0] for np = 4 from each of [1..3]
 *     1 MPI_LONG, tag unknown, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [1..1] for np = 2 to 0
 *     receivers [0..0] for np = 2 from 1
 *     1 MPI_LONG, tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
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
