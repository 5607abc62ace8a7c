/* The name of the machine differs from rank to rank, and with it what is computed from it.
 */
/* expect:
 *   verdict: unknown
 *   because: line +21: whether `MPI_Barrier` in line +22 is reached depends on data that may differ between ranks
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, np, x = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    char name[64] = "";
    int letters = 0;

    gethostname(name, sizeof name - 1);
    for (int i = 0; name[i] != 0; i++)
        letters += name[i] == '?';
    x += rank;
    if (letters > 0 || strcmp(name, "?") == 0)
        MPI_Barrier(MPI_COMM_WORLD);

    MPI_Finalize();
    return 0;
}
