/* Two members are mixed up in a struct type; its copy with the extent of the struct, and a copy of that, are wrong for the same reason,
 * which is told once.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +23, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +24, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>

struct particle {
    double mass;
    int kind;
    float charge;
};

int main(int argc, char **argv)
{
    struct particle p[4] = {{0.0, 0, 0.0f}};
    int lengths[3] = {1, 1, 1};
    MPI_Aint places[3] = {offsetof(struct particle, mass), offsetof(struct particle, charge), offsetof(struct particle, kind)};
    MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_FLOAT}, plain, resized, copy;

    MPI_Init(&argc, &argv);
    MPI_Type_create_struct(3, lengths, places, types, &plain); //~ MUST struct-layout: where `struct particle` has `float charge`
    MPI_Type_create_resized(plain, 0, sizeof(struct particle), &resized);
    MPI_Type_dup(resized, &copy);
    MPI_Type_commit(&resized);
    MPI_Type_commit(&copy);
    MPI_Bcast(p, 4, resized, 0, MPI_COMM_WORLD);
    MPI_Bcast(p, 2, copy, 0, MPI_COMM_WORLD);
    MPI_Type_free(&copy);
    MPI_Type_free(&resized);
    MPI_Type_free(&plain);
    MPI_Finalize();
    return 0;
}
