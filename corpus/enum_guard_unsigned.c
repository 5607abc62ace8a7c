/* A stage is numbered from the rank. No stage has a negative number, so the type is unsigned: on rank 0, which has none, the comparison
 * with the last stage fails, and only those between pass their value on.
 */
/* expect:
 */
#include <mpi.h>

enum stage { READ, FILTER, WRITE };

struct worker {
    enum stage stage;
    int next;
};

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct worker me = {rank - 1, rank + 1};
    if (me.stage <= WRITE && me.next < size)
        MPI_Send(&value, 1, MPI_INT, me.next, 4, MPI_COMM_WORLD);
    if (2 <= rank && rank <= 4)
        MPI_Recv(&value, 1, MPI_INT, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
