/* Every rank opens a file of its own on MPI_COMM_SELF; only the root closes its one. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +14, ranks each of [0..np-1] alone, MPI_COMM_SELF, repeat 1
 *   collective: MPI_File_close line +17, ranks each of [0..0] alone, MPI_COMM_SELF, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    char name[40];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    snprintf(name, sizeof(name), "closed_by_root_%d.out", rank);
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file); //~ MUST file-leak
    MPI_File_write(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_File_close(&file);

    MPI_Finalize();
    return 0;
}
