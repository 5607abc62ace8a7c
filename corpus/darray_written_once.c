/* The distribution in which an array is written and that in which it is read are the same one: the program looks whether it has been
 * written.
 */
/* expect:
 *   np: 4
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for np = 4
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open @open, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @to write, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all @write, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_sync @sync, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @to read, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
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
    int rank, np, wrong = 0, written[N / P], found[N / P];
    MPI_Datatype to_write, to_read;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Type_create_darray(P, rank, 1, sizes, kinds, blocks, processes, MPI_ORDER_C, MPI_INT, &to_write);
    MPI_Type_create_darray(P, rank, 1, sizes, kinds, blocks, processes, MPI_ORDER_C, MPI_INT, &to_read);
    MPI_Type_commit(&to_write);
    MPI_Type_commit(&to_read);
    for (int i = 0; i < N / P; i++)
        written[i] = 1000 * rank + i;

    MPI_File_open(MPI_COMM_WORLD, "darray_written_once.out",                           //@ open
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, to_write, "native", MPI_INFO_NULL);            //@ to write
    MPI_File_write_all(file, written, N / P, MPI_INT, MPI_STATUS_IGNORE);              //@ write
    MPI_File_sync(file);                                                               //@ sync
    MPI_File_set_view(file, 0, MPI_INT, to_read, "native", MPI_INFO_NULL);             //@ to read
    MPI_File_read_all(file, found, N / P, MPI_INT, MPI_STATUS_IGNORE);                 //@ read
    MPI_File_close(&file);                                                             //@ close

    for (int i = 0; i < N / P; i++)
        wrong += written[i] != found[i];
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Type_free(&to_write);
    MPI_Type_free(&to_read);
    MPI_Finalize();
    return 0;
}
