/* A mesh whose width the command line says, in which each process gives its value to the one above and to the one on the left. */
/* expect:
 *   np: 2, 4, 6, 8
 *   trace: no, the width is given on the command line
 *   verdict: exact for any np >= 1
 *   assuming: line +17: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {atoi(argv[1])*i + j: i in [1..atoi(argv[2])-1], j in [0..atoi(argv[1])-1]} to rank - atoi(argv[1])
 *     receivers {atoi(argv[1])*i + j: i in [0..atoi(argv[2])-2], j in [0..atoi(argv[1])-1]} from rank + atoi(argv[1])
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {atoi(argv[1])*i + j: i in [1..(np / 2)-1], j in [0..atoi(argv[1])-1]} to rank - atoi(argv[1])
 *     receivers {atoi(argv[1])*i + j: i in [0..(np / 2)-2], j in [0..atoi(argv[1])-1]} from rank + atoi(argv[1])
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {2*i + j: i in [1..(np / 2)-1], j in [0..1]} to rank - 2
 *     receivers {2*i + j: i in [0..(np / 2)-2], j in [0..1]} from rank + 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders {atoi(argv[1])*i + j: i in [0..atoi(argv[2])-1], j in [1..atoi(argv[1])-1]} to rank - 1
 *     receivers {atoi(argv[1])*i + j: i in [0..atoi(argv[2])-1], j in [0..atoi(argv[1])-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders {atoi(argv[1])*i + j: i in [0..(np / 2)-1], j in [1..atoi(argv[1])-1]} to rank - 1
 *     receivers {atoi(argv[1])*i + j: i in [0..(np / 2)-1], j in [0..atoi(argv[1])-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders [1..1] to 0
 *     receivers [0..0] from 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders [2*(np / 2)-1..2*(np / 2)-1] to 2*(np / 2) - 2
 *     receivers [2*(np / 2)-2..2*(np / 2)-2] from 2*(np / 2) - 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders [3..2*(np / 2)-3] step 2 to rank - 1
 *     receivers [2..2*(np / 2)-4] step 2 from rank + 1
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double mine, below = 0, beside = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int width = argc > 1 ? atoi(argv[1]) : 2, height = argc > 2 ? atoi(argv[2]) : np / 2;
    if (width < 1 || height < 1 || width * height != np) {
        fprintf(stderr, "%d processes are no mesh of %d by %d\n", np, width, height);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int row = rank / width, column = rank % width;
    int north = row > 0 ? rank - width : MPI_PROC_NULL;
    int south = row < height - 1 ? rank + width : MPI_PROC_NULL;
    int west = column > 0 ? rank - 1 : MPI_PROC_NULL;
    int east = column < width - 1 ? rank + 1 : MPI_PROC_NULL;

    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, north, 0, &below, 1, MPI_DOUBLE, south, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ up
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, west, 1, &beside, 1, MPI_DOUBLE, east, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);    //@ left

    printf("%d: %f %f\n", rank, below, beside);
    MPI_Finalize();
    return 0;
}
