/* The root keeps the largest of all numbers, in whatever order they come: a reduction.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, mine, most, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    mine = (rank * 7 + 3) % 11;
    if (rank == 0) {
        most = mine;
        for (int i = 1; i < np; i++) {
            MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take //~ NOTE use-collective: MPI_Reduce
            if (theirs > most)
                most = theirs;
        }
        printf("the largest is %d\n", most);
    } else {
        MPI_Send(&mine, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);                                       //@ give
    }

    MPI_Finalize();
    return 0;
}
