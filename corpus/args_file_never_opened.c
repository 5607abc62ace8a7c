/* Where the file could not be opened its handle is null, and it is written to all the same.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 1;
    MPI_File file = MPI_FILE_NULL;

    MPI_Init(&argc, &argv);
    MPI_File_write(file, &x, 1, MPI_INT, MPI_STATUS_IGNORE); //~ MUST invalid-file
    MPI_Finalize();
    return 0;
}
