/* What is known of one bit-field says nothing about the others that share its bytes: the call is reached.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

struct flags {
    unsigned is_idle : 1;
    unsigned is_ready : 1;
};

int main(int argc, char **argv)
{
    int x = 1;
    struct flags flags = { 0 };

    MPI_Init(&argc, &argv);
    flags.is_idle = 0;
    flags.is_ready = 1;
    if (!flags.is_idle)
        MPI_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD); //~ MUST invalid-count
    MPI_Finalize();
    return 0;
}
