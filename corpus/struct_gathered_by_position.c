/* Only the positions are gathered, but from the second process on they are stored beside the structs: the extent of the datatype is that
 * of a position, not of a body. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Allgather line +25, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct body {
    double mass;
    double position[3];
};

int main(int argc, char **argv)
{
    int rank, size, lengths[1] = {3};
    struct body own = {1.0, {0.0, 0.0, 0.0}}, *all;
    MPI_Aint places[1] = {offsetof(struct body, position)};
    MPI_Datatype types[1] = {MPI_DOUBLE}, position;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_struct(1, lengths, places, types, &position);
    MPI_Type_commit(&position);
    all = calloc((size_t)size, sizeof *all);
    own.position[0] = rank;
    MPI_Allgather(&own, 1, position, all, 1, position, MPI_COMM_WORLD); //~ MUST struct-layout: has extent 24 and
    printf("%d: the last one is at %g\n", rank, all[size - 1].position[0]);
    free(all);
    MPI_Type_free(&position);
    MPI_Finalize();
    return 0;
}
