/* Rows of four processes; in each row the first one stays alone and the other three have a communicator of their own, in which they
 * agree on the largest number.
 */
/* expect:
 *   np: 4, 8, 12, 16
 *   verdict: exact for any np >= 4 with np % 4 = 0
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @parts, ranks [rank - (rank % 4)..rank - (rank % 4) + 3] for each of {4*i + j: i in [0..(np / 4)-1], j in [0..3]} for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @agree, ranks [rank..rank] for each of [0..4*(np / 4)-4] step 4 for np >= 8, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @agree, ranks [rank - (rank % 4) + 1..rank - (rank % 4) + 3] for each of {4*i + j: i in [0..(np / 4)-1], j in [1..3]} for np >= 8, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @parts, ranks [0..3] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @agree, ranks [0..0] for np = 4, split of split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @agree, ranks [1..3] for np = 4, split of split of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, place, number, largest;
    MPI_Comm row, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % 4 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row); //@ rows
    MPI_Comm_rank(row, &place);
    MPI_Comm_split(row, place > 0, place, &part); //@ parts
    number = 100 - rank;
    MPI_Allreduce(&number, &largest, 1, MPI_INT, MPI_MAX, part); //@ agree
    printf("rank %d: %d\n", rank, largest);

    MPI_Comm_free(&part);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
