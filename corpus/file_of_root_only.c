/* The root alone opens a file, on MPI_COMM_SELF, starts a write, waits for it and closes; the others keep MPI_FILE_NULL.
 *
 * Right; near-miss of file-leak and request-missing-wait.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +14, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_Allreduce line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +21, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_File file = MPI_FILE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, "of_root_only.out", MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file);
        MPI_File_iwrite_at(file, 0, &size, 1, MPI_INT, &request);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
