/* The type of a view is freed once the view is set; the file goes on using it until it is closed.
 *
 * Right; near-miss of use-after-free, file-leak and datatype-leak.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +15, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view line +19, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all line +21, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +22, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 4

int main(int argc, char **argv)
{
    int rank, size, mine[N] = {0};
    MPI_Datatype every;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_File_open(MPI_COMM_WORLD, "type_freed_after_view.out",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_Type_vector(N, 1, size, MPI_INT, &every);
    MPI_Type_commit(&every);
    MPI_File_set_view(file, rank * (MPI_Offset)sizeof(int), MPI_INT, every, "native", MPI_INFO_NULL);
    MPI_Type_free(&every);
    MPI_File_write_all(file, mine, N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
