/* Two matrices on a square of processes, brought into the order in which Cannon's product begins: each row of one has moved to the left
 * by its number, each column of the other upwards by its own.
 */
/* expect:
 *   np: 1, 4, 9, 16
 *   verdict: exact for any np >= 1
 *   assuming: np == isqrt(np)*isqrt(np)
 *   channel: MPI_Isend line +22 -> MPI_Irecv line +21
 *     senders {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [0..isqrt(np)-1]} to isqrt(np) * (rank / isqrt(np)) + (rank % isqrt(np) + isqrt(np) - rank / isqrt(np)) % isqrt(np)
 *     receivers {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [0..isqrt(np)-1]} from isqrt(np) * (rank / isqrt(np)) + (rank / isqrt(np) + rank % isqrt(np)) % isqrt(np)
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 *     senders {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [0..isqrt(np)-1]} to (rank / isqrt(np) + isqrt(np) - rank % isqrt(np)) % isqrt(np) * isqrt(np) + rank % isqrt(np)
 *     receivers {isqrt(np)*i + j: i in [0..isqrt(np)-1], j in [0..isqrt(np)-1]} from (rank / isqrt(np) + rank % isqrt(np)) % isqrt(np) * isqrt(np) + rank % isqrt(np)
 *     1 MPI_DOUBLE, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: permutation of MPI_Isend line +22 -> MPI_Irecv line +21
 *   pattern: permutation of MPI_Sendrecv line +26 -> MPI_Sendrecv line +26
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np;
    double a, b, left, up;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int q = (int)sqrt(np);
    if (q * q != np)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int row = rank / q, column = rank % q;
    a = b = rank;
    int to = row * q + (column - row + q) % q;
    int from = row * q + (column + row) % q;
    MPI_Irecv(&left, 1, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&a, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    to = (row - column + q) % q * q + column;
    from = (row + column) % q * q + column;
    MPI_Sendrecv(&b, 1, MPI_DOUBLE, to, 1, &up, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d: %f\n", rank, left * up);
    MPI_Finalize();
    return 0;
}
