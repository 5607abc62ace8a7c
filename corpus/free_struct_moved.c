/* A record with two handles is moved: copied, and the handles of the old one set to null, so that both can be destroyed.
 *
 * Right; near-miss of double-free, communicator-leak and datatype-leak.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Comm_dup line +22, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast line +29, root 0, ranks [0..np-1], duplicate of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct plan {
    MPI_Comm comm;
    MPI_Datatype block;
};

static void destroy(struct plan *plan)
{
    if (plan->block != MPI_DATATYPE_NULL)
        MPI_Type_free(&plan->block);
    if (plan->comm != MPI_COMM_NULL)
        MPI_Comm_free(&plan->comm);
}

int main(int argc, char **argv)
{
    double values[4] = {0};
    struct plan old, new;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &old.comm);
    MPI_Type_contiguous(4, MPI_DOUBLE, &old.block);
    MPI_Type_commit(&old.block);

    new = old;
    old.comm = MPI_COMM_NULL;
    old.block = MPI_DATATYPE_NULL;
    MPI_Bcast(values, 1, new.block, 0, new.comm);
    destroy(&old);
    destroy(&new);

    MPI_Finalize();
    return 0;
}
