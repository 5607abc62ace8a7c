/* The file of a log that was never opened is synchronised.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

struct log {
    MPI_File file;
    int lines;
};

static void flush(struct log *log)
{
    MPI_File_sync(log->file); //~ MUST invalid-file
}

int main(int argc, char **argv)
{
    struct log log = { MPI_FILE_NULL, 0 };

    MPI_Init(&argc, &argv);
    flush(&log);
    MPI_Finalize();
    return 0;
}
