/* A program that keeps all it knows in global and static variables, and gives each exchange a new tag.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag unknown, MPI_COMM_WORLD, repeat 2
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 */
#include <mpi.h>

int my_rank, n_ranks;
int neighbour_above, neighbour_below;

static int next_tag(void)
{
    static int tag = 100;

    return tag++;
}

static void find_neighbours(void)
{
    neighbour_above = my_rank + 1 == n_ranks ? MPI_PROC_NULL : my_rank + 1;
    neighbour_below = my_rank == 0 ? MPI_PROC_NULL : my_rank - 1;
}

static double exchange_up(double x)
{
    double below = 0.0;
    int tag = next_tag();

    MPI_Sendrecv(&x, 1, MPI_DOUBLE, neighbour_above, tag, &below, 1, MPI_DOUBLE, neighbour_below, tag, //@ up
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return below;
}

int main(int argc, char **argv)
{
    double x = 1.0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    find_neighbours();
    x = exchange_up(x);
    x = exchange_up(x);
    MPI_Finalize();
    return x < 0.0;
}
