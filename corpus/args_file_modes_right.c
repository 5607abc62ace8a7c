/* A file that is written, opened again for reading, and read from its end backwards.
 *
 * Right; near-miss of invalid-file.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +10, ranks each of [0..np-1] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_close line +12, ranks each of [0..np-1] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_open line +14, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_open line +14, ranks each of [1..np-1] alone for np >= 2, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_close line +20, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_close line +20, ranks each of [1..np-1] alone for np >= 2, MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_WRONLY | MPI_MODE_APPEND, MPI_INFO_NULL, &file);
    MPI_File_write(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    int mode = rank == 0 ? MPI_MODE_RDWR : MPI_MODE_RDONLY;
    MPI_File_open(MPI_COMM_SELF, "/dev/null", mode, MPI_INFO_NULL, &file);
    MPI_File_seek(file, 4, MPI_SEEK_SET);
    MPI_File_seek(file, -4, MPI_SEEK_CUR);
    MPI_File_read(file, &y, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_File_write(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
