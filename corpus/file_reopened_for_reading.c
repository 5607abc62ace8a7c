/* The file that was written is opened again for reading with the same variable, without having been closed in between. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all line +12, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_sync line +13, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier line +14, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_open line +16, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_read_at_all line +17, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +18, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, theirs = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_File_open(MPI_COMM_WORLD, "reopened.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); //~ MUST file-leak
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(rank), &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_File_open(MPI_COMM_WORLD, "reopened.out", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_read_at_all(file, 0, &theirs, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
