/* A library writes a log, and at one level it adds up the lines of all ranks: but some lines come from rank 0 only.
 *
 * Rank 0 then waits for the others, or they for it.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: the command line is the same on every rank
 *   assuming: the environment variables are the same on every rank
 *   collective: MPI_Allreduce line +48 @count, ranks [0..np-1] for np >= 2, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +48, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @count, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 2
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum level { TRACE, DEBUG, INFO, ERROR };

static enum level threshold = INFO;
static int process = -1;

static void log_line(enum level level, int everywhere, const char *text, int value)
{
    if (!everywhere && process > 0)
        return;
    if (level < threshold)
        return;
    if (value < 0)
        fprintf(stderr, "[%d] %s\n", process, text);
    else
        fprintf(stderr, "[%d] %s: %d\n", process, text, value);
    if (level == INFO) {
        int lines = 1;

        MPI_Allreduce(MPI_IN_PLACE, &lines, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);   //@ count
    }
}

static void log_start(void)
{
    const char *wish = getenv("LOG_LEVEL");

    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    if (wish == NULL)
        return;
    if (strcmp(wish, "trace") == 0)
        threshold = TRACE;
    else if (strcmp(wish, "debug") == 0)
        threshold = DEBUG;
    else if (strcmp(wish, "error") == 0)
        threshold = ERROR;
}

static int agreed(int x)
{
    int most;

    log_line(TRACE, 1, "entering", -1);
    MPI_Allreduce(&x, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);       //~ MUST missing-collective
    //~^ MUST op-mismatch
    log_line(DEBUG, 0, "agreed on", most);
    log_line(TRACE, 1, "leaving", -1);
    return most;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    log_start();
    log_line(INFO, 0, "started", argc);

    int x = process;
    x = agreed(x);
    x = agreed(x + process);
    x = agreed(2 * x - process);
    x = agreed(x + 3 * process);
    log_line(INFO, 0, "result", x);

    MPI_Finalize();
    return 0;
}
