/* The particle is packed before its type is committed, and sent after. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct particle {
    double position[3];
    double mass;
};

int main(int argc, char **argv)
{
    int position = 0;
    char packed[256];
    struct particle p = {{0.0, 0.5, 1.0}, 2.0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);

    MPI_Type_contiguous(4, MPI_DOUBLE, &type);
    MPI_Pack(&p, 1, type, packed, sizeof(packed), &position, MPI_COMM_WORLD); //~ MUST datatype-uncommitted
    MPI_Type_commit(&type);
    MPI_Bcast(&p, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);

    MPI_Finalize();
    return 0;
}
