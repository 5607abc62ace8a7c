/* Reduction operations on datatypes that they are not defined for.
 */
/* expect:
 *   np: >= 1
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +21: how many bytes MPI_Allreduce accesses of its buffer is not known
 *   collective: MPI_Allreduce line +18, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +19, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +20, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +21, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Allreduce line +22, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>

struct best {
    double value;
    int where;
};

int main(int argc, char **argv)
{
    double x = 1, y;
    int n = 1, m;
    struct best mine = {1, 2}, best;
    MPI_Datatype pair;
    MPI_Op none = MPI_OP_NULL;

    MPI_Init(&argc, &argv);

    MPI_Allreduce(&n, &m, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BOR, MPI_COMM_WORLD);    //~ MUST invalid-op: MPI_BOR is not defined for MPI_DOUBLE
    MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAXLOC, MPI_COMM_WORLD); //~ MUST invalid-op: MPI_MAXLOC
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    MPI_Allreduce(&n, &m, 1, MPI_INT, MPI_REPLACE, MPI_COMM_WORLD);   //~ MUST invalid-op: one-sided
    MPI_Allreduce(&n, &m, 1, MPI_INT, none, MPI_COMM_WORLD);          //~ MUST invalid-op: MPI_OP_NULL

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    int two[2] = {1, 2}, sum[2];
    MPI_Allreduce(two, sum, 1, pair, MPI_SUM, MPI_COMM_WORLD); //~ MUST invalid-op: derived
    MPI_Allreduce(two, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Type_free(&pair);

    MPI_Finalize();
    return 0;
}
