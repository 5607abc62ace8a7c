/* Copies of predefined handles are freed as if the program had made the objects. */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm everybody = MPI_COMM_WORLD;
    MPI_Datatype number = MPI_DOUBLE;

    MPI_Init(&argc, &argv);
    MPI_Type_free(&number); //~ MUST invalid-datatype: predefined
    MPI_Comm_free(&everybody); //~ MUST invalid-communicator: predefined
    MPI_Finalize();
    return 0;
}
