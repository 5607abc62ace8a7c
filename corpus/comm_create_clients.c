/* The clients of a few servers get a communicator of their own: the group is that of all processes without the listed servers.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @reduce, ranks [(np / 4)..np-1], part of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np;
    double part = 1, total = 0;
    MPI_Group everybody, clients;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int servers = np / 4;
    int *ranks = malloc((servers + 1) * sizeof(int));
    for (int i = 0; i < servers; i++)
        ranks[i] = i;

    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_excl(everybody, servers, ranks, &clients);
    MPI_Comm_create(MPI_COMM_WORLD, clients, &comm);                               //@ create

    if (comm != MPI_COMM_NULL) {
        MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, comm);                //@ reduce
        MPI_Comm_free(&comm);
    }

    MPI_Group_free(&clients);
    MPI_Group_free(&everybody);
    free(ranks);
    MPI_Finalize();
    return 0;
}
