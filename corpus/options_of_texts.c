/* What is compared are strings of the program itself: which way it takes is known without any input.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Barrier @meet, ranks [0..np-1], MPI_COMM_WORLD, repeat 2
 *   collective: MPI_Allreduce @agree, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <string.h>

struct option {
    const char *name;
    int value;
};

static const struct option options[] = {{"rounds", 2}, {"width", 5}, {"rest", 0}};

static int setting(const char *name)
{
    for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++)
        if (strcmp(options[i].name, name) == 0)
            return options[i].value;
    return -1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);

    for (int round = 0; round < setting("rounds"); round++)
        MPI_Barrier(MPI_COMM_WORLD);                                        //@ meet
    if (strcmp("eager", "lazy") > 0 || strchr("slow", 'f') != NULL)
        MPI_Bcast(&argc, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (strncmp("width", "wider", 3) == 0 && strlen("four") == 4)
        MPI_Allreduce(MPI_IN_PLACE, &argc, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);   //@ agree

    MPI_Finalize();
    return 0;
}
