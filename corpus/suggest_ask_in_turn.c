/* Loops that are no broadcast: what is asked depends on the answer before, by its own name or by another. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @ask -> @asked
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @lend -> @lent
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: @answer -> @answered
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @return -> @returned
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_LONG, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @ask -> @asked
 *   pattern: fan-out of @lend -> @lent
 *   pattern: gather of @answer -> @answered
 *   pattern: gather of @return -> @returned
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (rank == 0) {
        long part = 0, step = 1, given = 0, *asked = &given;

        for (int proc = 1; proc < np; proc++) {
            MPI_Send(&step, 1, MPI_LONG, proc, 0, MPI_COMM_WORLD);                    //@ ask
            MPI_Recv(&part, 1, MPI_LONG, proc, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ answered
            step += part;
        }
        for (int proc = 1; proc < np; proc++) {
            MPI_Send(asked, 1, MPI_LONG, proc, 1, MPI_COMM_WORLD);                    //@ lend
            MPI_Recv(&part, 1, MPI_LONG, proc, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ returned
            given += part;
        }
        printf("%ld %ld, the last one said %ld\n", step, given, part);
    } else {
        long mine;

        MPI_Recv(&mine, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ asked
        mine += rank;
        MPI_Send(&mine, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);                    //@ answer
        MPI_Recv(&mine, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ lent
        mine += rank;
        MPI_Send(&mine, 1, MPI_LONG, 0, 1, MPI_COMM_WORLD);                    //@ return
    }

    MPI_Finalize();
    return 0;
}
