/* Access modes that contradict themselves, and calls that contradict the access mode.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   assuming: the command line is the same on every rank
 *   collective: MPI_File_open line +39, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>

static void modes(int create)
{
    int mode = MPI_MODE_CREATE, x = 0;
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, "a", mode, MPI_INFO_NULL, &file); //~ MUST invalid-file: without any of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_INFO_NULL, &file); //~ MUST invalid-file: MPI_MODE_RDONLY with MPI_MODE_CREATE
    MPI_File_close(&file);
    mode |= MPI_MODE_WRONLY;
    MPI_File_open(MPI_COMM_WORLD, "a", mode | MPI_MODE_RDWR, MPI_INFO_NULL, &file); //~ MUST invalid-file: both MPI_MODE_WRONLY and MPI_MODE_RDWR
    MPI_File_close(&file);
    if (create) {
        MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
        MPI_File_read(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST invalid-file: opened with MPI_MODE_WRONLY
    } else {
        MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        MPI_File_write_at_all(file, 0, &x, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST invalid-file: opened with MPI_MODE_RDONLY
    }
    MPI_File_close(&file);
}

static void places(MPI_File file)
{
    int x = 0;
    MPI_File_write_at(file, -8, &x, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST invalid-file: the offset of MPI_File_write_at is -8
    MPI_File_seek(file, -4, MPI_SEEK_SET);                          //~ MUST invalid-file: the offset of MPI_File_seek is -4
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1) {
        modes(argc);
    } else {
        MPI_File file;
        MPI_File_open(MPI_COMM_WORLD, "a", MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        places(file);
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
