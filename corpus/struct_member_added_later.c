/* A member was added to the struct and not to the datatype: it may be meant to stay behind, so that is a note. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +25, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

struct options {
    int steps;
    double tolerance;
    int verbose;
};

int main(int argc, char **argv)
{
    int rank;
    struct options o = {0, 0.0, 0};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct options, steps), offsetof(struct options, tolerance)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, places, types, &type); //~ NOTE struct-layout: except `int verbose`
    MPI_Type_commit(&type);
    if (rank == 0)
        o = (struct options){100, 1e-6, 1};
    MPI_Bcast(&o, 1, type, 0, MPI_COMM_WORLD);
    printf("%d: %d steps, %d\n", rank, o.steps, o.verbose);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
