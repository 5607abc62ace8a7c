/* The datatype is chosen by a letter, and there is none for this one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

static MPI_Datatype type_of(char letter)
{
    switch (letter) {
    case 'i':
        return MPI_INT;
    case 'd':
        return MPI_DOUBLE;
    default:
        return MPI_DATATYPE_NULL;
    }
}

int main(int argc, char **argv)
{
    float x = 0;

    MPI_Init(&argc, &argv);
    MPI_Bcast(&x, 1, type_of('f'), 0, MPI_COMM_WORLD); //~ MUST invalid-datatype
    MPI_Finalize();
    return 0;
}
