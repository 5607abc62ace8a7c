/* All wait for their requests one by one; afterwards the root waits for its first one again before it prints. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Iallreduce line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>
#include <stdio.h>

#define FIELDS 3

int main(int argc, char **argv)
{
    int rank;
    double part[FIELDS] = {1.0, 2.0, 3.0}, total[FIELDS];
    MPI_Request requests[FIELDS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int i = 0; i < FIELDS; i++)
        MPI_Iallreduce(&part[i], &total[i], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < FIELDS; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE); //~ MUST request-not-active
        printf("%g %g %g\n", total[0], total[1], total[2]);
    }

    MPI_Finalize();
    return 0;
}
