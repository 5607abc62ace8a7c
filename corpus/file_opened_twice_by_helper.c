/* A helper returns the file that it opens; the file is closed before the helper opens the next one in the same way.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +8, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 *   collective: MPI_File_write_at_all line +21, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +22, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_at_all line +25, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +26, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static MPI_File open_file(const char *name, int mode)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    return file;
}

int main(int argc, char **argv)
{
    int rank, numbers[4] = {0};
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    file = open_file("numbers.tmp", MPI_MODE_WRONLY | MPI_MODE_CREATE);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof numbers, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    file = open_file("numbers.tmp", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_read_at_all(file, rank * (MPI_Offset)sizeof numbers, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Finalize();
    return numbers[0];
}
