/* A sum by a binomial tree, for powers of two: in each round every process whose bit is set gives what it has to the one without that bit and is done. */
/* expect:
 *   np: 1, 2, 4, 8, 16
 *   verdict: exact for np = 1, 2, 4, ..., 2^30
 *   assuming: there are no more than 1073741824 processes
 *   channel: line +17 -> line +20
 *     senders [536870912..536870912] for np >= 1073741824 to 0
 *     receivers [0..0] for np >= 1073741824 from 536870912
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +17 -> line +20
 *     senders [1..2*(np / 2)-1] step 2 for np >= 4 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 for np >= 4 from rank + 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +17 -> line +20
 *     senders [m..2*m*(np / (2*m))-m] step 2*m for np >= 4*m, m = 2, 4, 8, ..., 2^28 to rank - m
 *     receivers [0..2*m*(np / (2*m))-2*m] step 2*m for np >= 4*m, m = 2, 4, 8, ..., 2^28 from rank + m
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: line +17 -> line +20
 *     senders [m..m] for np = 2*m, m = 1, 2, 4, ..., 2^28 to 0
 *     receivers [0..0] for np = 2*m, m = 1, 2, 4, ..., 2^28 from m
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of line +17 -> line +20
 *   pattern: shift of line +17 -> line +20
 *   pattern: shift of line +17 -> line +20
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, sum, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (np & (np - 1))
        MPI_Abort(MPI_COMM_WORLD, 1);
    sum = rank;
    for (int mask = 1; mask < np; mask <<= 1) {
        if (rank & mask) {
            MPI_Send(&sum, 1, MPI_INT, rank - mask, 0, MPI_COMM_WORLD); //~ NOTE use-collective: MPI_Reduce
            break;
        }
        MPI_Recv(&part, 1, MPI_INT, rank + mask, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
    }

    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
