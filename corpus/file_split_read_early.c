/* What is being read is used between the two halves of the call.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_all_begin line +13, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_all_end line +15, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +16, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int data[4] = {0}, seen = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "split.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_read_all_begin(file, data, 4, MPI_INT);
    seen = data[0]; //~ MUST buffer-race
    MPI_File_read_all_end(file, data, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return seen + data[0] + rank + size < 0;
}
