/* A branch on data that differs between the ranks, with no communication inside: who talks to whom does not depend on it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, value, count = 0, total;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (int i = 0; i < 20; i++) {
        value = (rank * 31 + i * 17) % 10;
        if (value < 3) {
            count++;
            if (count > 5)
                printf("rank %d has many\n", rank);
        } else if (value == 9) {
            count--;
        }
    }

    if (rank == np - 1) {
        printf("the last has %d\n", count);
    } else {
        MPI_Send(&count, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                          //@ pass
    }
    if (rank > 0)
        MPI_Recv(&total, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);       //@ take

    MPI_Finalize();
    return 0;
}
