/* A helper builds a subarray type and returns it; nobody commits it before it becomes the view of a file. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +24, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_set_view line +26, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_all line +27, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +28, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

#define N 8

static MPI_Datatype stripe(int number, int count)
{
    int sizes[2] = {count * N, N}, sub[2] = {N, N}, starts[2] = {number * N, 0};
    MPI_Datatype type;

    MPI_Type_create_subarray(2, sizes, sub, starts, MPI_ORDER_C, MPI_INT, &type);
    return type;
}

int main(int argc, char **argv)
{
    int rank, size, mine[N][N] = {{0}};
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    MPI_Datatype view = stripe(rank, size);
    MPI_File_open(MPI_COMM_WORLD, "returned_not_committed.out",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL); //~ MUST datatype-uncommitted
    MPI_File_write_all(file, mine, N * N, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&view);

    MPI_Finalize();
    return 0;
}
