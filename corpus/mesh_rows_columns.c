/* A mesh of four columns: each row agrees on a sum and shifts it around in a communicator of its own, then each column
 * collects in another what its rows have.
 */
/* expect:
 *   np: 4, 8, 12, 16
 *   verdict: exact for any np >= 4 with np % 4 = 0
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders [3..4*(np / 4)-1] step 4 to rank - 3
 *     receivers [0..4*(np / 4)-4] step 4 from rank + 3
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *     senders {4*i + j: i in [0..(np / 4)-1], j in [0..2]} to rank + 1
 *     receivers {4*i + j: i in [0..(np / 4)-1], j in [1..3]} from rank - 1
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [7..4*(np / 4)-1] step 4 to 3
 *     receivers [3..3] from each of [7..4*(np / 4)-1] step 4
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [6..4*(np / 4)-2] step 4 to 2
 *     receivers [2..2] from each of [6..4*(np / 4)-2] step 4
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [5..4*(np / 4)-3] step 4 to 1
 *     receivers [1..1] from each of [5..4*(np / 4)-3] step 4
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   channel: @give -> @take
 *     senders [4..4*(np / 4)-4] step 4 to 0
 *     receivers [0..0] from each of [4..4*(np / 4)-4] step 4
 *     1 MPI_INT, tag 0, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @rows, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Comm_split @columns, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [rank - (rank % 4)..rank - (rank % 4) + 3] for each of {4*i + j: i in [0..(np / 4)-1], j in [0..3]} for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..4*(np / 4)-4] step 4 for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [1..4*(np / 4)-3] step 4 for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [2..4*(np / 4)-2] step 4 for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [3..4*(np / 4)-1] step 4 for np >= 8, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce @sum, ranks [0..3] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..0] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [1..1] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [2..2] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @spread, root 0, ranks [3..3] for np = 4, split of MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *   pattern: shift of MPI_Sendrecv @shift -> MPI_Sendrecv @shift
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, np, r, n, x = 0, y;
    MPI_Comm row, column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np % 4 != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row);                          //@ rows
    MPI_Comm_split(MPI_COMM_WORLD, rank % 4, rank, &column);                       //@ columns
    MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, row);                            //@ sum
    MPI_Comm_rank(row, &r);
    MPI_Comm_size(row, &n);
    MPI_Sendrecv(&x, 1, MPI_INT, (r + 1) % n, 0, &y, 1, MPI_INT, (r + n - 1) % n, 0, row, //@ shift
                 MPI_STATUS_IGNORE);
    MPI_Comm_rank(column, &r);
    MPI_Comm_size(column, &n);
    if (r == 0) {
        for (int i = 1; i < n; i++)
            MPI_Recv(&y, 1, MPI_INT, i, 0, column, MPI_STATUS_IGNORE);             //@ take
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 0, column);                                    //@ give
    }
    MPI_Bcast(&x, 1, MPI_INT, 0, column);                                          //@ spread
    MPI_Comm_free(&column);
    MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
