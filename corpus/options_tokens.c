/* The last number of a list like 3,4,5 on the command line tells how often the message goes round.
 */
/* expect:
 *   verdict: unknown
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int laps = 1;
    char list[80] = "2,3";

    if (argc > 1)
        strncpy(list, argv[1], sizeof list - 1);
    for (char *item = strtok(list, ","); item != NULL; item = strtok(NULL, ","))
        laps = atoi(item);
    for (int lap = 0; lap < laps; lap++)
        MPI_Sendrecv_replace(&x, 1, MPI_INT, (rank + 1) % np, 0, (rank + np - 1) % np, 0, MPI_COMM_WORLD, //@ pass
                             MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
