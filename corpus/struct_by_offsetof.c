/* Structs that go around a ring, two at a time, with padding at the end: the datatype is resized to the size of the struct. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     2 datatype of line 29, called at line 42 (1 int, 3 double, 1 char), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @ring -> MPI_Sendrecv @ring
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

struct particle {
    int id;
    double x[3];
    char kind;
};

static MPI_Datatype particle_type;

static void make_type(void)
{
    int lengths[3] = {1, 3, 1};
    MPI_Aint places[3] = {offsetof(struct particle, id), offsetof(struct particle, x), offsetof(struct particle, kind)};
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, packed;

    MPI_Type_create_struct(3, lengths, places, types, &packed);
    MPI_Type_create_resized(packed, 0, sizeof(struct particle), &particle_type);
    MPI_Type_commit(&particle_type);
    MPI_Type_free(&packed);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct particle out[2] = {{0, {0.0, 0.0, 0.0}, 'e'}, {1, {0.0, 0.0, 0.0}, 'p'}}, in[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_type();
    out[1].x[0] = rank;
    MPI_Sendrecv(out, 2, particle_type, (rank + 1) % size, 0, in, 2, particle_type, (rank - 1 + size) % size, 0, //@ ring
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: %c from %g\n", rank, in[1].kind, in[1].x[0]);
    MPI_Type_free(&particle_type);
    MPI_Finalize();
    return 0;
}
