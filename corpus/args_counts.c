/* Counts below zero: a difference taken the wrong way round.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +11, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x[16] = {0};
    int first = 4, last = 10;
    MPI_Datatype columns;

    MPI_Init(&argc, &argv);

    MPI_Bcast(x, last - first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, first - last, MPI_DOUBLE, 0, MPI_COMM_WORLD); //~ MUST invalid-count: -6

    MPI_Type_vector(4, 1, -4, MPI_DOUBLE, &columns); /* a stride may be negative */
    MPI_Type_free(&columns);
    MPI_Type_contiguous(first - last, MPI_DOUBLE, &columns); //~ MUST invalid-count: -6
    MPI_Type_free(&columns);

    MPI_Finalize();
    return 0;
}
