/* The type is freed between its first and its second use. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +12, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double position[3] = {0.0, 0.5, 1.0}, speed[3] = {0};
    MPI_Datatype vector;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(3, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    MPI_Bcast(position, 1, vector, 0, MPI_COMM_WORLD);
    MPI_Type_free(&vector);
    MPI_Bcast(speed, 1, vector, 0, MPI_COMM_WORLD); //~ MUST use-after-free

    MPI_Finalize();
    return 0;
}
