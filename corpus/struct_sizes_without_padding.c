/* Displacements are sums of sizes: the compiler aligns the coordinates, so they are not where the datatype says. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +25, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

struct particle {
    int id;
    double x[3];
};

int main(int argc, char **argv)
{
    int rank;
    struct particle p = {0, {0.0, 0.0, 0.0}};
    int lengths[2] = {1, 3};
    MPI_Aint places[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, particle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, places, types, &particle); //~ MUST struct-layout: lies in padding
    MPI_Type_commit(&particle);
    if (rank == 0) {
        p.id = 7;
        p.x[2] = 2.5;
    }
    MPI_Bcast(&p, 1, particle, 0, MPI_COMM_WORLD);
    printf("%d: particle %d at height %g\n", rank, p.id, p.x[2]);
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
