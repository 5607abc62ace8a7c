/* Two halves that want to meet, but the left one names the second rank of the right half as its leader, and that is the first: nobody
 * answers.
 */
/* expect:
 *   np: >= 4
 *   verdict: exact for any np >= 4
 *   collective: MPI_Comm_split @split, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np;
    MPI_Comm half, both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np < 4)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int right = rank >= np / 2;
    MPI_Comm_split(MPI_COMM_WORLD, right, rank, &half);                                     //@ split
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : np / 2 + 1, 3, &both);        //~ MUST deadlock: and the leader of no other group answers
    MPI_Barrier(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
