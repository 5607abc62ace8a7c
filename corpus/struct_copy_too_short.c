/* A struct type is right, but the extent that its copy is given is that of the members without the padding at the end. */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +20, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>

struct pair {
    double weight;
    int index;
};

int main(int argc, char **argv)
{
    struct pair pairs[6] = {{0.0, 0}};
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct pair, weight), offsetof(struct pair, index)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, plain, packed;

    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(double) + sizeof(int), &packed);
    MPI_Type_commit(&packed);
    MPI_Bcast(pairs, 6, packed, 0, MPI_COMM_WORLD); //~ MUST struct-layout: extent 12
    MPI_Type_free(&packed);
    MPI_Type_free(&plain);
    MPI_Finalize();
    return 0;
}
