/* A group of listed ranks of which one is replaced: no longer neighbours.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @reduce, ranks [0..((np+1) / 2)-2], then [np-1..np-1] for np >= 3, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @reduce, ranks [1..1] for np = 2, part of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @reduce, ranks [0..0] for np = 1, part of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np;
    double part = 1, total = 0;
    MPI_Group everybody, chosen;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int members = (np + 1) / 2;
    int *ranks = malloc(members * sizeof(int));
    for (int i = 0; i < members; i++)
        ranks[i] = i;
    ranks[members - 1] = np - 1;

    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_incl(everybody, members, ranks, &chosen);
    MPI_Comm_create(MPI_COMM_WORLD, chosen, &comm);                                //@ create

    if (comm != MPI_COMM_NULL) {
        MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, comm);                //@ reduce
        MPI_Comm_free(&comm);
    }

    MPI_Group_free(&chosen);
    MPI_Group_free(&everybody);
    free(ranks);
    MPI_Finalize();
    return 0;
}
