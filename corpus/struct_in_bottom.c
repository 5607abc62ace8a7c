/* Displacements that are addresses are right with MPI_BOTTOM. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, lengths[2] = {1, 1};
    int steps = 0;
    double tolerance = 0.0;
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&steps, &places[0]);
    MPI_Get_address(&tolerance, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        steps = 100;
        tolerance = 1e-6;
    }
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD); //@ spread
    printf("%d: %d steps to %g\n", rank, steps, tolerance);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
