/* A mesh whose sides are given on the command line; an assertion says that they multiply to the number of processes. Each column hands
 * down its values.
 */
/* expect:
 *   run: no, the sides are given on the command line
 *   verdict: exact for any np >= 1
 *   assuming: line +16: the exit of the program is not taken
 *   assuming: line +17: the exit of the program is not taken
 *   assuming: line +18: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: @give -> @take
 *     senders {atoi(argv[2])*i + j: i in [0..atoi(argv[1])-2], j in [0..atoi(argv[2])-1]} to rank + atoi(argv[2])
 *     receivers {atoi(argv[2])*i + j: i in [1..atoi(argv[1])-1], j in [0..atoi(argv[2])-1]} from rank - atoi(argv[2])
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int rows = atoi(argv[1]);
    int cols = atoi(argv[2]);
    assert(rows > 0);
    assert(cols > 0);
    assert(rows * cols == np);

    int row = rank / cols;
    mine = rank;
    if (row + 1 < rows)
        MPI_Send(&mine, 1, MPI_DOUBLE, rank + cols, 0, MPI_COMM_WORLD); //@ give
    if (row > 0)
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank - cols, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    printf("rank %d has %g\n", rank, theirs);
    MPI_Finalize();
    return 0;
}
