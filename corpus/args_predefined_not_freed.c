/* What is freed is predefined or made here, as the program finds out.
 *
 * Right; near-miss of invalid-datatype.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +21, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 3
 */
#include <mpi.h>

static MPI_Datatype row(int length)
{
    MPI_Datatype made = MPI_DOUBLE;
    if (length != 1) {
        MPI_Type_contiguous(length, MPI_DOUBLE, &made);
        MPI_Type_commit(&made);
    }
    return made;
}

int main(int argc, char **argv)
{
    double values[3] = {0};
    int length;

    MPI_Init(&argc, &argv);
    for (length = 1; length <= 3; length++) {
        MPI_Datatype type = row(length);
        MPI_Bcast(values, 1, type, 0, MPI_COMM_WORLD);
        if (type != MPI_DOUBLE)
            MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
