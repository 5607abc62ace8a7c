/* The matrix that is read is the one that was written turned over: what was a row is a column. That is no change of the distribution
 * alone.
 */
/* expect:
 *   np: 4
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for np = 4
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open @open, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @as it was, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all @write, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_sync @sync, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @barrier, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_sync @sync once more, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @turned, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_all @read, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close @close, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 12
#define P 4
#define MINE (N * N / P)

int main(int argc, char **argv)
{
    int sizes[2] = {N, N}, kinds[2] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, blocks[2] = {2, 3}, grid[2] = {2, 2};
    int rank, np, old[MINE], new[MINE];
    MPI_Datatype before, after;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Type_create_darray(P, rank, 2, sizes, kinds, blocks, grid, MPI_ORDER_C, MPI_INT, &before);
    blocks[0] = 3;
    blocks[1] = 2;
    MPI_Type_create_darray(P, rank, 2, sizes, kinds, blocks, grid, MPI_ORDER_FORTRAN, MPI_INT, &after);
    MPI_Type_commit(&before);
    MPI_Type_commit(&after);
    for (int i = 0; i < MINE; i++)
        old[i] = 1000 * rank + i;

    MPI_File_open(MPI_COMM_WORLD, "darray_turned.out",                                 //@ open
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, before, "native", MPI_INFO_NULL);              //@ as it was
    MPI_File_write_all(file, old, MINE, MPI_INT, MPI_STATUS_IGNORE);                   //@ write
    MPI_File_sync(file);                                                               //@ sync
    MPI_Barrier(MPI_COMM_WORLD);                                                       //@ barrier
    MPI_File_sync(file);                                                               //@ sync once more
    MPI_File_set_view(file, 0, MPI_INT, after, "native", MPI_INFO_NULL);               //@ turned
    MPI_File_read_all(file, new, MINE, MPI_INT, MPI_STATUS_IGNORE);                    //@ read
    MPI_File_close(&file);                                                             //@ close

    for (int i = 0; i < MINE; i++)
        printf("rank %d: %d\n", rank, new[i]);
    MPI_Type_free(&before);
    MPI_Type_free(&after);
    MPI_Finalize();
    return 0;
}
