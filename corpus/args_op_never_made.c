/* The operation is kept in a record that nobody fills.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

struct method {
    MPI_Op combine;
    int rounds;
};

int main(int argc, char **argv)
{
    struct method method = { MPI_OP_NULL, 1 };
    int mine = 1, all;

    MPI_Init(&argc, &argv);
    MPI_Allreduce(&mine, &all, 1, MPI_INT, method.combine, MPI_COMM_WORLD); //~ MUST invalid-op
    MPI_Finalize();
    return 0;
}
