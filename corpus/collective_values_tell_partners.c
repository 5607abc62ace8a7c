/* Whom to write to, how much and with which tag comes out of collectives of numbers that all can compute: a scan, a
 * gather to all, an exchange of numbers, the place of the greatest number.
 */
#include <mpi.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
    int me, procs;
    int lengths[MOST], asked[MOST], wanted[MOST];
    double data[MOST] = {0}, got[MOST];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    if (procs > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int length = 1 + me % 3, before = 0;
    MPI_Allgather(&length, 1, MPI_INT, lengths, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Exscan(&length, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        before = 0;
    for (int rank = 0; rank < procs; rank++)
        asked[rank] = (me + rank) % 2;
    MPI_Alltoall(asked, 1, MPI_INT, wanted, 1, MPI_INT, MPI_COMM_WORLD);
    int right = (me + 1) % procs, left = (me + procs - 1) % procs;
    MPI_Sendrecv(data, length, MPI_DOUBLE, right, before, got, lengths[left], MPI_DOUBLE, left, MPI_ANY_TAG,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    struct { int value, rank; } mine = {(me * 5) % 7, me}, most;
    MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (me == most.rank && wanted[0] >= 0) {
        for (int rank = 0; rank < procs; rank++)
            if (rank != me)
                MPI_Send(data, most.value, MPI_DOUBLE, rank, 500, MPI_COMM_WORLD);
    } else {
        MPI_Recv(got, MOST, MPI_DOUBLE, most.rank, 500, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
