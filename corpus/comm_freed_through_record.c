/* The communicator is handed over to a record by value and freed there; the variable it was made in is not used any more.
 *
 * Right; near-miss of communicator-leak and double-free.
 */
/* expect:
 *   verdict: bounded to 2..5
 *   because: line +24: whether processes name the same colour depends on their rank
 *   because: the channels shown are those of np = 5
 *   collective: MPI_Comm_split line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +27, ranks [0..1], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +27, ranks [2..3], split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +27, ranks [4..4], split of MPI_COMM_WORLD, repeat 1
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
