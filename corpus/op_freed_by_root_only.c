/* All ranks make the operation of the reduction, and only the root, where the result is, frees it. */
/* expect:
 *   np: >= 2
 *   verdict: exact for any np >= 1
 *   collective: MPI_Reduce line +26, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

static void product_of_pairs(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const double *a = in;
    double *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] *= a[i];
}

int main(int argc, char **argv)
{
    int rank;
    double pair[2], result[2];
    MPI_Op multiply;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(product_of_pairs, 1, &multiply); //~ MUST op-leak

    pair[0] = rank + 1;
    pair[1] = 1.0 / (rank + 1);
    MPI_Reduce(pair, result, 2, MPI_DOUBLE, multiply, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%g %g\n", result[0], result[1]);
        MPI_Op_free(&multiply);
    }

    MPI_Finalize();
    return 0;
}
