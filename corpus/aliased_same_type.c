/* An integer is stored through a pointer that may point to the tag.
 */
/* expect:
 *   verdict: unknown
 *   because: @ring: the tag of a message is not known
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, tag = 3, spare = 3, *cells[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    cells[0] = &tag;
    cells[1] = &spare;
    *cells[time(NULL) % 2] = 3;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, tag, &in, 1, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, //@ ring
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in < 0;
}
