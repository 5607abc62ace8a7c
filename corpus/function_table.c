/* The phases of a program stand in a table of functions that a loop calls one after the other.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @to-above -> @from-below
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @to-below -> @from-above
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-above -> @from-below
 *   pattern: shift of @to-below -> @from-above
 */
#include <mpi.h>

struct phase {
    const char *name;
    void (*run)(int *x, int rank, int np);
};

static void up(int *x, int rank, int np)
{
    if (rank > 0)
        MPI_Recv(x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ from-below
    if (rank < np - 1)
        MPI_Send(x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);                         //@ to-above
}

static void down(int *x, int rank, int np)
{
    if (rank < np - 1)
        MPI_Recv(x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      //@ from-above
    if (rank > 0)
        MPI_Send(x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);                         //@ to-below
}

static void together(int *x, int rank, int np)
{
    (void)rank;
    (void)np;
    MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD);                                      //@ spread
}

static const struct phase phases[] = {{"up", up}, {"down", down}, {"together", together}};

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    for (unsigned i = 0; i < sizeof phases / sizeof phases[0]; i++)
        phases[i].run(&x, rank, np);

    MPI_Finalize();
    return 0;
}
