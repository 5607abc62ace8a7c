/* Planes of a box whose three widths the command line gives: each rank but those of the first plane sends to the plane in front of it.
 * The widths multiplied are the number of processes, so that the plane behind the last one is never asked.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: line +16: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: @to-front -> @from-behind
 *     senders {atoi(argv[1])*atoi(argv[2])*i + j: i in [1..atoi(argv[3])-1], j in [0..atoi(argv[1])*atoi(argv[2])-1]} to rank - atoi(argv[1])*atoi(argv[2])
 *     receivers {atoi(argv[1])*atoi(argv[2])*i + j: i in [0..atoi(argv[3])-2], j in [0..atoi(argv[1])*atoi(argv[2])-1]} from rank + atoi(argv[1])*atoi(argv[2])
 *     3 MPI_DOUBLE, tag 7, MPI_COMM_WORLD, repeat unknown
 *   channel: @to-front -> @from-behind
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     3 MPI_DOUBLE, tag 7, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @to-front -> @from-behind
 *   pattern: shift of @to-front -> @from-behind
 */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine[3] = {0}, theirs[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int wide = argc > 3 ? atoi(argv[1]) : 1;
    int high = argc > 3 ? atoi(argv[2]) : 1;
    int deep = argc > 3 ? atoi(argv[3]) : np;
    if (wide < 1 || high < 1 || deep < 1 || wide * high * deep != np)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int plane = rank / (wide * high);
    if (plane < deep - 1)
        MPI_Recv(theirs, 3, MPI_DOUBLE, rank + wide * high, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ from-behind
    if (plane > 0)
        MPI_Send(mine, 3, MPI_DOUBLE, rank - wide * high, 7, MPI_COMM_WORLD); //@ to-front
    MPI_Finalize();
    return 0;
}
