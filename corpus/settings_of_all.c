/* All ranks read the same file of settings, each for itself. Where there is none, the defaults hold.
 */
/* expect:
 *   trace: no, without the file there is no barrier
 *   verdict: exact for any np >= 1
 *   assuming: files that several ranks use are the same on every rank
 *   channel: MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Barrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   pattern: ring of MPI_Sendrecv_replace @pass -> MPI_Sendrecv_replace @pass
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

    load("no-such.conf", &settings);
    for (int lap = 0; lap < settings.laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);
    if (settings.meet)
        MPI_Barrier(MPI_COMM_WORLD);    //@ meet

    MPI_Finalize();
    return 0;
}
