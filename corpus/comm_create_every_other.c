/* A communicator of the processes of even rank: the ranks are listed by a loop that goes up by two.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_create @create, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Reduce @reduce, root 0, ranks [0..2*((np-1) / 2)] step 2, part of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int np, members = 0;
    double sum = 1, all = 0;
    MPI_Group everybody, even;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *ranks = malloc(np * sizeof(int));
    for (int i = 0; i < np; i += 2)
        ranks[members++] = i;

    MPI_Comm_group(MPI_COMM_WORLD, &everybody);
    MPI_Group_incl(everybody, members, ranks, &even);
    MPI_Comm_create(MPI_COMM_WORLD, even, &comm);                                  //@ create

    if (comm != MPI_COMM_NULL) {
        MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, comm);                   //@ reduce
        MPI_Comm_free(&comm);
    }

    MPI_Group_free(&even);
    MPI_Group_free(&everybody);
    free(ranks);
    MPI_Finalize();
    return 0;
}
