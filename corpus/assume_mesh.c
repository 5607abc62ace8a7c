/* The rows of a mesh whose sides are given on the command line pass on to the right, in rings. That the sides multiply to the number
 * of processes is not checked in this program: a comment says it.
 */
/* expect:
 *   run: no, the sides are given on the command line
 *   verdict: exact for any np >= 1
 *   assuming: np == rows * cols && rows > 1 && cols > 1
 *   assuming: the command line is the same on every rank
 *   assuming: np == atoi(argv[1])*atoi(argv[2])
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [atoi(argv[2])-1..atoi(argv[1])*atoi(argv[2])-1] step atoi(argv[2]) to rank - atoi(argv[2]) + 1
 *     receivers [0..atoi(argv[1])*atoi(argv[2])-atoi(argv[2])] step atoi(argv[2]) from rank + atoi(argv[2]) - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders {atoi(argv[2])*i + j: i in [0..atoi(argv[1])-1], j in [0..atoi(argv[2])-2]} to rank + 1
 *     receivers {atoi(argv[2])*i + j: i in [0..atoi(argv[1])-1], j in [1..atoi(argv[2])-1]} from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: shift of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, rows, cols;
    double mine, theirs;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    rows = atoi(argv[1]);
    cols = atoi(argv[2]);
    /* anyrank: assume np == rows * cols &&
                       rows > 1 && cols > 1 */

    int row = rank / cols, col = rank % cols;
    int right = row * cols + (col + 1) % cols;
    int left = row * cols + (col + cols - 1) % cols;
    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 0, &theirs, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, //@ pass
                 MPI_STATUS_IGNORE);
    printf("row %d of %d, rank %d: %g\n", row, rows, rank, theirs);
    MPI_Finalize();
    return 0;
}
