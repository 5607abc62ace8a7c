/* What is written by one distribution and what is read by another are different files: nothing changes its distribution.
 */
/* expect:
 *   np: 4
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for np = 4
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open @open, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @in threes, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all @write, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close @close, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_open @open the other, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @in fives, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_all @read, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close @close the other, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 120
#define P 4

int main(int argc, char **argv)
{
    int sizes[1] = {N}, kinds[1] = {MPI_DISTRIBUTE_CYCLIC}, in_threes[1] = {3}, in_fives[1] = {5}, processes[1] = {P};
    int rank, np, numbers[N / P];
    MPI_Datatype threes, fives;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);

    MPI_Type_create_darray(P, rank, 1, sizes, kinds, in_threes, processes, MPI_ORDER_C, MPI_INT, &threes);
    MPI_Type_create_darray(P, rank, 1, sizes, kinds, in_fives, processes, MPI_ORDER_C, MPI_INT, &fives);
    MPI_Type_commit(&threes);
    MPI_Type_commit(&fives);
    for (int i = 0; i < N / P; i++)
        numbers[i] = rank;

    MPI_File_open(MPI_COMM_WORLD, "darray_of_two_files.first",                         //@ open
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, threes, "native", MPI_INFO_NULL);              //@ in threes
    MPI_File_write_all(file, numbers, N / P, MPI_INT, MPI_STATUS_IGNORE);              //@ write
    MPI_File_close(&file);                                                             //@ close
    MPI_File_open(MPI_COMM_WORLD, "darray_of_two_files.second",                        //@ open the other
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, fives, "native", MPI_INFO_NULL);               //@ in fives
    MPI_File_read_all(file, numbers, N / P, MPI_INT, MPI_STATUS_IGNORE);               //@ read
    MPI_File_close(&file);                                                             //@ close the other

    printf("rank %d: %d\n", rank, numbers[0]);
    MPI_Type_free(&threes);
    MPI_Type_free(&fives);
    MPI_Finalize();
    return 0;
}
