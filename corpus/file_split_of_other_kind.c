/* What begins at a place of the file is ended as if it had begun at the file pointer; what comes next is not ended at all.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all_begin line +12, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all_end line +13, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered_begin line +15, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +16, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[8] = {0};
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);

    MPI_File_write_at_all_begin(file, rank * 32, numbers, 8, MPI_INT);
    MPI_File_write_all_end(file, numbers, MPI_STATUS_IGNORE); //~ MUST invalid-file

    MPI_File_write_ordered_begin(file, numbers, 8, MPI_INT); //~ MUST request-missing-wait
    MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
