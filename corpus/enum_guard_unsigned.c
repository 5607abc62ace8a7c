/* A stage is numbered from the rank. No stage has a negative number, so the type is unsigned: on rank 0, which has none, the comparison
 * with the last stage fails, and only those between pass their value on.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +19 -> line +21
 *     senders [1..3] for np >= 5 to rank + 1
 *     receivers [2..4] for np >= 5 from rank - 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: line +19 -> line +21
 *     senders [1..2] for np = 4 to rank + 1
 *     receivers [2..3] for np = 4 from rank - 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   channel: line +19 -> line +21
 *     senders [1..1] for np = 3 to 2
 *     receivers [2..2] for np = 3 from 1
 *     1 MPI_INT, tag 4, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +19 -> line +21
 *   pattern: shift of line +19 -> line +21
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
