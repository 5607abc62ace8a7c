/* Rank 0 alone reads how often to meet, and forgets to tell the others: when the file says more than nothing, it waits for ever.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   assuming: files that several ranks use are the same on every rank
 *   collective: MPI_Barrier line +43, ranks [0..np-1] for np = 1, MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

struct settings {
    int laps, meet;
    double limit;
};

static void load(const char *path, struct settings *settings)
{
    char line[128], key[64];
    int value;
    FILE *file = fopen(path, "r");

    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#' || sscanf(line, "%63s %d", key, &value) != 2)
            continue;
        if (strcmp(key, "laps") == 0)
            settings->laps = value;
        else if (strcmp(key, "meet") == 0)
            settings->meet = value;
    }
    fclose(file);
}

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    struct settings settings = { 2, 0, 0.5 };

    if (rank == 0)
        load("no-such.conf", &settings);
    x += rank;
    if (settings.meet)
        MPI_Barrier(MPI_COMM_WORLD);    //~ MUST missing-collective

    MPI_Finalize();
    return 0;
}
