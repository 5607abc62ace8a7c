/* Displacements are written as numbers, one of them wrong: which struct they are of shows where a copy of the type is used. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +21, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct cell {
    double volume;
    int material;
    short flags;
};

int main(int argc, char **argv)
{
    struct cell cells[8] = {{0.0, 0, 0}};
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {0, 8, 14};
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_SHORT}, plain, resized;

    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(3, lengths, places, types, &plain); //~ MUST struct-layout: lies in padding
    MPI_Type_create_resized(plain, 0, sizeof(struct cell), &resized);
    MPI_Type_free(&plain);
    MPI_Type_commit(&resized);
    MPI_Bcast(cells, 8, resized, 0, MPI_COMM_WORLD);
    MPI_Type_free(&resized);
    MPI_Finalize();
    return 0;
}
