/* All ranks open a log, and only those that have something to say write to it: but the write is collective.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +12, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_write_ordered line +14, ranks [0..np-1] for np = 1, file of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_File_close line +15, ranks [0..np-1] for np = 1, file of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char line[8] = "......\n";
    MPI_File log;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_File_open(MPI_COMM_WORLD, "log.out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &log);
    if (rank % 2 == 0)
        MPI_File_write_ordered(log, line, 7, MPI_CHAR, MPI_STATUS_IGNORE);   //~ MUST collective-mismatch
    MPI_File_close(&log);

    MPI_Finalize();
    return 0;
}
