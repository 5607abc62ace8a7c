/* A halo exchange on a mesh of four columns and as many rows as there are, with MPI_PROC_NULL beyond its edges: row and
 * column are quotient and remainder of the rank.
 */
/* expect:
 *   np: 4, 8, 12, 16
 *   verdict: exact for any np >= 4 with np % 4 = 0
 *   channel: MPI_Sendrecv @up -> MPI_Sendrecv @up
 *     senders {4*i + j: i in [1..(np / 4)-1], j in [0..3]} to rank - 4
 *     receivers {4*i + j: i in [0..(np / 4)-2], j in [0..3]} from rank + 4
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @down -> MPI_Sendrecv @down
 *     senders {4*i + j: i in [0..(np / 4)-2], j in [0..3]} to rank + 4
 *     receivers {4*i + j: i in [1..(np / 4)-1], j in [0..3]} from rank - 4
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @left -> MPI_Sendrecv @left
 *     senders {4*i + j: i in [0..(np / 4)-1], j in [1..3]} to rank - 1
 *     receivers {4*i + j: i in [0..(np / 4)-1], j in [0..2]} from rank + 1
 *     1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [0..2] to rank + 1
 *     receivers [1..3] from rank - 1
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders [4*(np / 4)-4..4*(np / 4)-2] for np >= 8 to rank + 1
 *     receivers [4*(np / 4)-3..4*(np / 4)-1] for np >= 8 from rank - 1
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @right -> MPI_Sendrecv @right
 *     senders {4*i + j: i in [1..(np / 4)-2], j in [0..2]} to rank + 1
 *     receivers {4*i + j: i in [1..(np / 4)-2], j in [1..3]} from rank - 1
 *     1 MPI_DOUBLE, tag 3, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @up -> MPI_Sendrecv @up
 *   pattern: shift of MPI_Sendrecv @down -> MPI_Sendrecv @down
 *   pattern: shift of MPI_Sendrecv @left -> MPI_Sendrecv @left
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 *   pattern: shift of MPI_Sendrecv @right -> MPI_Sendrecv @right
 */
#include <mpi.h>
#define COLUMNS 4

int main(int argc, char **argv)
{
    int rank, np;
    double mine = 1, north = 0, south = 0, west = 0, east = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % COLUMNS != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);

    int rows = np / COLUMNS, row = rank / COLUMNS, column = rank % COLUMNS;
    int up = row > 0 ? rank - COLUMNS : MPI_PROC_NULL;
    int down = row < rows - 1 ? rank + COLUMNS : MPI_PROC_NULL;
    int left = column > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = column < COLUMNS - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, up, 0, &south, 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,    //@ up
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, down, 1, &north, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,    //@ down
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, left, 2, &east, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,  //@ left
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 3, &west, 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD,  //@ right
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
