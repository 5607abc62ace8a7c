/* Two nonblocking collectives in flight at once: the next table is broadcast while the results of the last are summed.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Ibcast @table, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_Iallreduce @sum, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>

#define N 50

int main(int argc, char **argv)
{
    int rank;
    double table[N] = {0}, result = 1.0, total;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    for (int round = 0; round < 3; round++) {
        MPI_Ibcast(table, N, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);                              //@ table
        MPI_Iallreduce(&result, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]);          //@ sum
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        result = total / (rank + 1) + table[round];
    }

    MPI_Finalize();
    return 0;
}
