/* Hints that are given to an object of hints after its end.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info hints;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&hints);
    MPI_Info_free(&hints);
    MPI_Info_set(hints, "no_locks", "true"); //~ MUST use-after-free: the info of MPI_Info_set is freed already
    MPI_Finalize();
    return 0;
}
