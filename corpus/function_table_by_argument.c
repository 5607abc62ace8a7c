/* An argument of the program chooses a scheme from a table of functions.
 *
 * Which element of the table is called is not known, but the same on all ranks; the last one does not communicate.
 */
/* expect:
 *   trace: no, without arguments only one of the schemes is run
 *   verdict: exact for any np >= 1
 *   assuming: line +39: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @add, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdlib.h>

struct scheme {
    const char *name;
    void (*share)(int *value, MPI_Comm comm);
};

static void from_first(int *value, MPI_Comm comm)
{
    MPI_Bcast(value, 1, MPI_INT, 0, comm);                              //@ spread
}

static void added_up(int *value, MPI_Comm comm)
{
    int mine = *value;

    MPI_Allreduce(&mine, value, 1, MPI_INT, MPI_SUM, comm);             //@ add
}

static void kept(int *value, MPI_Comm comm)
{
    (void)value;
    (void)comm;
}

static const struct scheme schemes[] = {{"first", from_first}, {"sum", added_up}, {"none", kept}};

int main(int argc, char **argv)
{
    int rank, value, choice = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (argc > 1)
        choice = atoi(argv[1]);
    if (choice < 0 || choice > 2)
        MPI_Abort(MPI_COMM_WORLD, 1);

    value = rank;
    schemes[choice].share(&value, MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
