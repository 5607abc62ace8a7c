/* An array changes from blocks of 3 to blocks of 5 over four processes by a file: it is written as the old distribution has it, and read
 * as the new one wants it.
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
 *   collective: MPI_File_set_view @as it becomes, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_all @read, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close @close, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 120
#define P 4

int main(int argc, char **argv)
{
    int sizes[1] = {N}, kinds[1] = {MPI_DISTRIBUTE_CYCLIC}, blocks[1] = {3}, processes[1] = {P};
    int rank, np, old[N / P], new[N / P];
    MPI_Datatype before, after;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Type_create_darray(P, rank, 1, sizes, kinds, blocks, processes, MPI_ORDER_C, MPI_INT, &before);
    blocks[0] = 5;
    MPI_Type_create_darray(P, rank, 1, sizes, kinds, blocks, processes, MPI_ORDER_C, MPI_INT, &after);
    MPI_Type_commit(&before);
    MPI_Type_commit(&after);
    for (int i = 0; i < N / P; i++)
        old[i] = 1000 * rank + i;

    MPI_File_open(MPI_COMM_WORLD, "darray_through_file.out",                           //@ open
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, before, "native", MPI_INFO_NULL);              //@ as it was
    MPI_File_write_all(file, old, N / P, MPI_INT, MPI_STATUS_IGNORE);                  //@ write
    MPI_File_sync(file);                                                               //@ sync
    MPI_Barrier(MPI_COMM_WORLD);                                                       //@ barrier
    MPI_File_sync(file);                                                               //@ sync once more
    MPI_File_set_view(file, 0, MPI_INT, after, "native", MPI_INFO_NULL);               //@ as it becomes //~ NOTE schedule-redistribution: --from 4,3 --to 4,5
    MPI_File_read_all(file, new, N / P, MPI_INT, MPI_STATUS_IGNORE);                   //@ read
    MPI_File_close(&file);                                                             //@ close

    for (int i = 0; i < N / P; i++)
        printf("rank %d: %d\n", rank, new[i]);
    MPI_Type_free(&before);
    MPI_Type_free(&after);
    MPI_Finalize();
    return 0;
}
