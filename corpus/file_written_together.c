/* All ranks write their part of one file together, and read the head of it again each for itself.
 *
 * Opening, setting the view, writing with `_all` and closing are collective calls of those who share the file.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open @open, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view @view, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all @write, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_sync @sync, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close @close, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, first, mine[4] = {0};
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine[0] = rank;

    MPI_File_open(MPI_COMM_WORLD, "written_together.out",                           //@ open
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);          //@ view
    MPI_File_write_at_all(file, 4 * (MPI_Offset)rank, mine, 4, MPI_INT, MPI_STATUS_IGNORE);   //@ write
    MPI_File_sync(file);                                                            //@ sync
    if (rank > 0)
        MPI_File_read_at(file, 0, &first, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);                                                          //@ close

    MPI_Finalize();
    return 0;
}
