/* A struct has a window and the memory of it: what others write there leaves the handle as it is, and it is null when the window is
 * freed.
 */
/* expect:
 *   verdict: exact for any np >= 2
 *   collective: MPI_Win_create line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +12, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence line +17, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +18, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

struct board {
    MPI_Win window;
    int cells[4];
};

static void open_board(struct board *board, MPI_Comm comm)
{
    MPI_Win_create(board->cells, sizeof board->cells, sizeof board->cells[0], MPI_INFO_NULL, comm, &board->window);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, board->window);
}

static void close_board(struct board *board)
{
    MPI_Win_fence(MPI_MODE_NOSUCCEED, board->window);
    MPI_Win_free(&board->window);
}

int main(int argc, char **argv)
{
    struct board board = {MPI_WIN_NULL, {0, 0, 0, 0}};
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    open_board(&board, MPI_COMM_WORLD);
    close_board(&board);
    MPI_Accumulate(&rank, 1, MPI_INT, (rank + 1) % size, 2, 1, MPI_INT, MPI_SUM, board.window); //~ MUST use-after-free

    printf("%d\n", board.cells[2]);
    MPI_Finalize();
    return 0;
}
