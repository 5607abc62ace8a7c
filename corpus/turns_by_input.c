/* Even and odd ranks take turns in giving to the next one, for as many rounds as the user wants.
 */
/* expect:
 *   verdict: unknown
 *   assuming: the command line is the same on every rank
 *   because: line +13: there are ever more kinds of processes or messages
 *   because: @give: whether there is a unmatched-send is not certain
 *   because: line +22: there are ever more kinds of processes or messages (np = 2)
 *   because: @take: whether there is a unmatched-recv is not certain (np = 3)
 *   because: the time limit was reached (np = 5)
 *   channel: @give -> @take
 *     senders [0..2*(np / 2)-2] step 2 for np = 2 and odd np >= 3 to rank + 1
 *     receivers [1..2*(np / 2)-1] step 2 for np = 2 and odd np >= 3 from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @give -> @take
 *     senders [0..0] for np = 2 to 1
 *     receivers [1..1] for np = 2 from 0
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, taken = 0, rounds = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        rounds = atoi(argv[1]);
    for (int round = 0; round < rounds; round++) {
        int gives = (rank + round) % 2 == 0;

        if (gives && rank + 1 < size)
            MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD); //@ give
        if (!gives && rank > 0)
            MPI_Recv(&taken, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    }
    MPI_Finalize();
    return taken < 0;
}
