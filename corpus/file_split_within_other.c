/* A file has one split operation at a time: the second one begins before the first one is ended.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +10, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_open line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered_begin line +13, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered_begin line +14, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all_begin line +15, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered_end line +16, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered_end line +17, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +19, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +20, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, numbers[8] = {0}, others[8] = {0};
    MPI_File file, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "numbers.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_open(MPI_COMM_WORLD, "others.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &second);

    MPI_File_write_ordered_begin(file, numbers, 8, MPI_INT);
    MPI_File_write_ordered_begin(second, others, 8, MPI_INT);
    MPI_File_write_at_all_begin(file, rank * 32, others, 8, MPI_INT); //~ MUST invalid-file
    MPI_File_write_ordered_end(file, numbers, MPI_STATUS_IGNORE);
    MPI_File_write_ordered_end(second, others, MPI_STATUS_IGNORE);

    MPI_File_close(&second);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
