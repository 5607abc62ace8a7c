/* Members of a struct and an array are put into one list for a message: a datatype of their addresses does without it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     7 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define BINS 5

typedef struct {
    double least, most;
    int number;
} range_t;

int main(int argc, char **argv)
{
    int rank, np;
    range_t range;
    double bin[BINS], all[BINS + 2], got[BINS + 2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    range.least = -rank;
    range.most = 2 * rank;
    range.number = rank;
    for (int i = 0; i < BINS; i++)
        bin[i] = rank + 0.25 * i;

    if (rank > 0) {
        all[0] = range.least; //~ NOTE use-datatype: MPI_Type_create_hindexed
        all[1] = range.most;
        for (int i = 0; i < BINS; i++)
            all[i + 2] = bin[i];
        MPI_Send(all, BINS + 2, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank < np - 1) {
        MPI_Recv(got, BINS + 2, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("rank %d: %g %g %g\n", rank, got[0], got[1], got[BINS + 1]);
    }
    printf("rank %d: %g %d\n", rank, range.most, range.number);
    MPI_Finalize();
    return 0;
}
