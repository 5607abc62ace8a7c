/* Each step has an output of its own, opened and closed by helpers that keep the file in a record.
 *
 * Right; near-miss of file-leak and use-after-free.
 */
/* expect:
 *   trace: no, the tracer does not log calls on files
 *   verdict: exact for any np >= 1
 *   assuming: the calls on files succeed
 *   collective: MPI_File_open line +13, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 *   collective: MPI_File_write_at_all line +31, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 3
 *   collective: MPI_File_close line +19, ranks [0..np-1], file of MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>
#include <stdio.h>

struct output {
    MPI_File file;
};

static void begin(struct output *output, int step)
{
    char name[40];

    snprintf(name, sizeof(name), "closed_in_helper_%d.out", step);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &output->file);
}

static void end(struct output *output)
{
    MPI_File_close(&output->file);
}

int main(int argc, char **argv)
{
    int rank;
    struct output output;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 3; step++) {
        begin(&output, step);
        MPI_File_write_at_all(output.file, rank * (MPI_Offset)sizeof(rank), &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
        end(&output);
    }
    MPI_Finalize();
    return 0;
}
