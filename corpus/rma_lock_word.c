/* A word at rank 0 is a lock: who has it reads a number and writes back the next one. Without a flush the number is not there yet.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   collective: MPI_Win_allocate line +29, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +31, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free line +43, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static void acquire(MPI_Win window)
{
    int zero = 0, one = 1, old;

    do {
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, 0, window);
        MPI_Win_flush(0, window);
    } while (old != 0);
}

static void release(MPI_Win window)
{
    int zero = 0, old;

    MPI_Fetch_and_op(&zero, &old, MPI_INT, 0, 0, MPI_REPLACE, window);
    MPI_Win_flush(0, window);
}

int main(int argc, char **argv)
{
    int rank, *mine, number;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Win_lock_all(0, window);
    acquire(window);
    MPI_Get(&number, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    number++; //~ MUST rma-race
    MPI_Put(&number, 1, MPI_INT, 0, 1, 1, MPI_INT, window); //~ MUST rma-race
    MPI_Win_flush(0, window);
    release(window);
    MPI_Win_unlock_all(window);

    printf("%d\n", rank);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
