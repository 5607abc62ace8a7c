/* All ranks write a line number each into a file that nobody closes. */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +11, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_at_all line +12, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_File_open(MPI_COMM_WORLD, "log_not_closed.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); //~ MUST file-leak
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(rank), &rank, 1, MPI_INT, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
