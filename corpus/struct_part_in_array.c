/* Only the positions of bodies are sent, on purpose, and as often as there are bodies: the extent is that of a body. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @spread, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

enum { BODIES = 10 };

struct body {
    double mass;
    double position[3];
    int cell;
};

int main(int argc, char **argv)
{
    int rank, lengths[1] = {3};
    struct body bodies[BODIES] = {{0.0, {0.0, 0.0, 0.0}, 0}};
    MPI_Aint places[1] = {offsetof(struct body, position)};
    MPI_Datatype position, positions;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hindexed(1, lengths, places, MPI_DOUBLE, &position);
    MPI_Type_create_resized(position, 0, sizeof(struct body), &positions);
    MPI_Type_commit(&positions);
    if (rank == 0)
        bodies[9].position[1] = 4.5;
    MPI_Bcast(bodies, BODIES, positions, 0, MPI_COMM_WORLD); //@ spread
    printf("%d: %g\n", rank, bodies[9].position[1]);
    MPI_Type_free(&position);
    MPI_Type_free(&positions);
    MPI_Finalize();
    return 0;
}
