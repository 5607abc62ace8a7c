/* A struct type is right and too short, and so is its copy; another copy has the extent of the struct, and a third one that of two: each is
 * used for what it is for.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +24, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +25, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +26, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
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
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT}, plain, copy, one, other;

    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(2, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, 12, &copy);
    MPI_Type_create_resized(plain, 0, sizeof(struct pair), &one);
    MPI_Type_create_resized(plain, 0, 2 * sizeof(struct pair), &other);
    MPI_Type_commit(&copy);
    MPI_Type_commit(&one);
    MPI_Type_commit(&other);
    MPI_Bcast(&pairs[1], 1, copy, 0, MPI_COMM_WORLD);
    MPI_Bcast(pairs, 6, one, 0, MPI_COMM_WORLD);
    MPI_Bcast(pairs, 3, other, 0, MPI_COMM_WORLD);
    MPI_Type_free(&copy);
    MPI_Type_free(&one);
    MPI_Type_free(&other);
    MPI_Type_free(&plain);
    MPI_Finalize();
    return 0;
}
