/* Rank 0 collects the parts of a matrix that is dealt out by blocks of rows, and gives them away by blocks of columns, two columns at a
 * time.
 */
/* expect:
 *   np: 4
 *   verdict: exact for np = 4
 *   lengths: not proved, @collect: the datatypes of the message are not known
 *   lengths: not proved, @take: the datatypes of the message are not known
 *   lengths: not proved, @give: how many bytes MPI_Send accesses of its buffer is not known
 *   channel: MPI_Isend @part -> @collect
 *     senders [0..3] to 0
 *     receivers [0..0] from each of [0..3]
 *     48 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @give -> MPI_Irecv @take
 *     senders [0..0] to each of [0..3]
 *     receivers [0..3] from 0
 *     1 datatype of line 63, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of MPI_Isend @part -> @collect
 *   pattern: fan-out of @give -> MPI_Irecv @take
 */
#include <mpi.h>
#include <stdio.h>

#define ROWS 12
#define COLUMNS 16
#define P 4
#define MINE (ROWS * COLUMNS / P)

int main(int argc, char **argv)
{
    int sizes[2] = {ROWS, COLUMNS};
    int by_rows[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, row_grid[2] = {P, 1};
    int by_columns[2] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}, column_grid[2] = {1, P};
    int row_blocks[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    int column_blocks[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
    int rank, np, old[MINE], new[MINE];
    static int whole[ROWS][COLUMNS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < MINE; i++)
        old[i] = 1000 * rank + i;

    MPI_Request sent, received;
    MPI_Isend(old, MINE, MPI_INT, 0, 0, MPI_COMM_WORLD, &sent); //@ part
    if (rank == 0) {
        for (int p = 0; p < P; p++) {
            MPI_Datatype rows;
            MPI_Type_create_darray(P, p, 2, sizes, by_rows, row_blocks, row_grid, MPI_ORDER_C, MPI_INT, &rows);
            MPI_Type_commit(&rows);
            MPI_Recv(whole, 1, rows, p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ collect
            MPI_Type_free(&rows);
        }
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Irecv(new, MINE, MPI_INT, 0, 1, MPI_COMM_WORLD, &received); //@ take
    if (rank == 0) {
        for (int p = 0; p < P; p++) {
            MPI_Datatype columns;
            MPI_Type_create_darray(P, p, 2, sizes, by_columns, column_blocks, column_grid, MPI_ORDER_C, MPI_INT, &columns);
            MPI_Type_commit(&columns);
            MPI_Send(whole, 1, columns, p, 1, MPI_COMM_WORLD); //@ give //~ NOTE schedule-redistribution: --from 4,3 --from 1,16 --to 1,12 --to 4,2
            MPI_Type_free(&columns);
        }
    }
    MPI_Wait(&received, MPI_STATUS_IGNORE);

    for (int i = 0; i < MINE; i++)
        printf("rank %d: %d\n", rank, new[i]);
    MPI_Finalize();
    return 0;
}
