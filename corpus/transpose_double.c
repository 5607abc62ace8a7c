/* The exchange of a transposition on twice as many columns as rows: pairs of neighbours change places with the pairs on the other side of
 * the diagonal, and within a pair each exchanges with its like.
 */
/* expect:
 *   np: 2
 *   verdict: exact for any even np >= 2
 *   assuming: line +15: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   assuming: np == 2*atoi(argv[1])*atoi(argv[1])
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders {2*(atoi(argv[1])*i + j) + k: i in [0..atoi(argv[1])-1], j in [0..atoi(argv[1])-1], k in [0..1]} to 2*(atoi(argv[1])*j + i) + k
 *     receivers {2*(atoi(argv[1])*i + j) + k: i in [0..atoi(argv[1])-1], j in [0..atoi(argv[1])-1], k in [0..1]} from 2*(atoi(argv[1])*j + i) + k
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *     senders [0..1] to rank
 *     receivers [0..1] from rank
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 *   pattern: shift of MPI_Sendrecv @swap -> MPI_Sendrecv @swap
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np, rows = argc > 1 ? atoi(argv[1]) : 1;
    double mine, other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rows < 1 || np != 2 * rows * rows) {
        fprintf(stderr, "%d processes are no %d by %d\n", np, rows, 2 * rows);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int pair = rank / 2;
    int partner = 2 * ((pair % rows) * rows + pair / rows) + rank % 2;
    mine = rank;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 0, &other, 1, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ swap

    printf("%d: %f\n", rank, other);
    MPI_Finalize();
    return 0;
}
