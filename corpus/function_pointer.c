/* What a process does is chosen by a pointer to a function: the first rank serves, all others are clients.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @answer -> @answered
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @ask -> @asked
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @answer -> @answered
 *   pattern: gather of @ask -> @asked
 */
#include <mpi.h>

typedef void role(int rank, int np);

static void serve(int rank, int np)
{
    double x;

    for (int client = rank + 1; client < np; client++) {
        MPI_Recv(&x, 1, MPI_DOUBLE, client, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ asked
        x = x * x;
        MPI_Send(&x, 1, MPI_DOUBLE, client, 0, MPI_COMM_WORLD);                       //@ answer
    }
}

static void ask(int rank, int np)
{
    double x = (double)rank / np;

    MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);                                //@ ask
    MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);             //@ answered
}

int main(int argc, char **argv)
{
    int rank, np;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    role *part = rank == 0 ? serve : ask;
    part(rank, np);

    MPI_Finalize();
    return 0;
}
