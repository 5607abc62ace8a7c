/* From elements that are dealt out one by one to all four processes to blocks of 3 on all four.
 */
/* expect:
 *   np: 4
 *   verdict: exact for np = 4
 *   lengths: not proved, @move: not all lengths in the lists of `MPI_Alltoallv` are compared
 *   collective: MPI_Alltoall @lengths, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Alltoallv @move, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 60
#define P 4
#define LENGTH 3

int main(int argc, char **argv)
{
    int sends[P] = {0}, recvs[P], from[P], to[P], rank, np, out = 0, in = 0;
    int old[N], new[N];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != P)
        MPI_Abort(MPI_COMM_WORLD, 1);

    for (int i = 0; i < N; i++)
        if (rank == i % P) {
            sends[i / LENGTH % P] += 1;
        }

    MPI_Alltoall(sends, 1, MPI_INT, recvs, 1, MPI_INT, MPI_COMM_WORLD); //@ lengths
    for (int p = 0; p < P; p++) {
        from[p] = out;
        to[p] = in;
        out += sends[p];
        in += recvs[p];
    }
    for (int i = 0; i < N; i++)
        old[i] = rank;
    MPI_Alltoallv(old, sends, from, MPI_INT, new, recvs, to, MPI_INT, MPI_COMM_WORLD); //@ move //~ NOTE schedule-redistribution: --from 4,1 --to 4,3

    for (int i = 0; i < in; i++)
        printf("rank %d: %d\n", rank, new[i]);
    MPI_Finalize();
    return 0;
}
