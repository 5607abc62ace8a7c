/* The record keeps a copy of the file handle; the file is closed through the first variable and written through the copy. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +23, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +27, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct log {
    MPI_File file;
    int rank;
};

static void note(const struct log *log)
{
    MPI_Offset at = log->rank * (MPI_Offset)sizeof(int);

    MPI_File_write_at(log->file, at, &log->rank, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST use-after-free
}

int main(int argc, char **argv)
{
    struct log log;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &log.rank);

    MPI_File_open(MPI_COMM_WORLD, "copy_written.out", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    log.file = file;
    note(&log);
    MPI_File_close(&file);
    note(&log);

    MPI_Finalize();
    return 0;
}
