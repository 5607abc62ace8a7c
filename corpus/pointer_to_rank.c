/* Functions that give ranks back through pointers: who takes part, and who is one's partner.
 *
 * The lower half sends to the upper half; with an odd number of processes the last one has no partner.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..(np / 2)-1] to rank + (np / 2)
 *     receivers [(np / 2)..2*(np / 2)-1] from rank - (np / 2)
 *     10 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdbool.h>

static void who_am_i(int *rank, int *np)
{
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, np);
}

static bool partner_of(int rank, int np, int *partner)
{
    int half = np / 2;

    if (rank < half)
        *partner = rank + half;
    else if (rank < 2 * half)
        *partner = rank - half;
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    int rank, np, partner;
    double x[10] = {0};

    MPI_Init(&argc, &argv);
    who_am_i(&rank, &np);
    if (partner_of(rank, np, &partner)) {
        if (rank < partner)
            MPI_Send(x, 10, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);                         //@ give
        else
            MPI_Recv(x, 10, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ take
    }
    MPI_Finalize();
    return 0;
}
