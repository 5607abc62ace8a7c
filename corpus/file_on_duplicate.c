/* The file is opened on a duplicated communicator that is freed at once: the file has a communicator of its own.
 *
 * Right; near-miss of file-leak, communicator-leak and use-after-free.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_Comm_dup line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_open line +13, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all line +15, ranks [0..np-1], file of duplicate of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +16, ranks [0..np-1], file of duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_File_open(comm, "on_duplicate.out", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Comm_free(&comm);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(rank), &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
