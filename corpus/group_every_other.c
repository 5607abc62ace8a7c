/* The odd ranks are left out of a group; the even ones make a communicator of their own, and its second one speaks to the first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [2..2] for np >= 3 to 0
 *     receivers [0..0] for np >= 3 from 2
 *     1 MPI_INT, tag 2, part of call by the members of a group of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_create_group @make, ranks [0..2*np-2*(np / 2)-2] step 2, call by the members of a group of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    MPI_Comm even;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int *odd = malloc((np / 2 + 1) * sizeof(int));
    for (int i = 0; i < np / 2; i++)
        odd[i] = 2 * i + 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, np / 2, odd, &group);
    free(odd);
    if (rank % 2 == 0) {
        int own, size, x = 0;
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &even);                  //@ make
        MPI_Comm_rank(even, &own);
        MPI_Comm_size(even, &size);
        if (own == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 2, even);                             //@ give
        if (own == 0 && size > 1)
            MPI_Recv(&x, 1, MPI_INT, 1, 2, even, MPI_STATUS_IGNORE);             //@ take
        printf("%d of %d has %d\n", own, size, x);
        MPI_Comm_free(&even);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
