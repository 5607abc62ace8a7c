/* The type of a record is made by a helper, returned by value, used on all ranks and freed on the root alone. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast line +30, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stddef.h>

struct setting {
    int steps;
    double width;
};

static MPI_Datatype setting_type(void)
{
    const int lengths[2] = {1, 1};
    const MPI_Aint offsets[2] = {offsetof(struct setting, steps), offsetof(struct setting, width)};
    const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type;

    MPI_Type_create_struct(2, lengths, offsets, types, &type); //~ MUST datatype-leak
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank;
    struct setting s = {10, 0.5};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Datatype type = setting_type();
    MPI_Bcast(&s, 1, type, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Type_free(&type);

    MPI_Finalize();
    return 0;
}
