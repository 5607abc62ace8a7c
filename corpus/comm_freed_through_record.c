/* The communicator is handed over to a record by value and freed there; the variable it was made in is not used any more.
 *
 * Right; near-miss of communicator-leak and double-free.
 */
/* expect:
 *   verdict: unknown
 *   because: line +27: the communicator is not known here
 *   because: line +24: whether processes name the same colour depends on their rank
 *   collective: MPI_Comm_split line +24, ranks [0..np-1] for np = 1 and even np >= 2, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct team {
    MPI_Comm comm;
    int rank, size;
};

static struct team team_of(MPI_Comm comm)
{
    struct team team = {.comm = comm};

    MPI_Comm_rank(comm, &team.rank);
    MPI_Comm_size(comm, &team.size);
    return team;
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &comm);

    struct team team = team_of(comm);
    MPI_Allreduce(&team.rank, &sum, 1, MPI_INT, MPI_SUM, team.comm);
    MPI_Comm_free(&team.comm);

    MPI_Finalize();
    return 0;
}
