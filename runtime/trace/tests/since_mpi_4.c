/* What came with MPI-4; any number of ranks from 2 on. Persistent collectives are matched as they were described, in whatever
 * order they are started. With an older library nothing is communicated. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
#if MPI_VERSION >= 4
    int right = (rank + 1) % np, left = (rank - 1 + np) % np, x = rank, y = 0, sum;
    MPI_Request r[3];

    MPI_Bcast_init(&x, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);                    /* @bcast-init */
    MPI_Allreduce_init(&y, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);    /* @allreduce-init */
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r[2]);                                     /* never started */
    for (int round = 0; round < 2; round++) {
        if (rank == 0) {
            MPI_Start(&r[0]);
            MPI_Start(&r[1]);
        } else {
            MPI_Start(&r[1]); /* @start */
            MPI_Start(&r[0]);
        }
        MPI_Barrier(MPI_COMM_WORLD); /* @barrier */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++) MPI_Request_free(&r[i]);

    MPI_Isendrecv(&x, 1, MPI_INT, right, 1, &y, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]); /* @isendrecv */
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace(&x, 1, MPI_INT, left, 2, right, 2, MPI_COMM_WORLD, &r[0]); /* @isendrecv-replace */
    MPI_Waitall(1, r, MPI_STATUSES_IGNORE);

    int parts[8] = {0};
    if (rank == 0) MPI_Psend_init(parts, 2, 4, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]); /* @halves */
    if (rank == 1) MPI_Precv_init(parts, 4, 2, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]); /* @quarters */
    for (int round = 0; round < 2 && rank < 2; round++) {
        MPI_Start(&r[0]);
        if (rank == 0) MPI_Pready_range(0, 1, r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    }
    if (rank < 2) MPI_Request_free(&r[0]);

    MPI_Count one = 1;
    if (rank == 0) MPI_Send_c(&x, one, MPI_INT, 1, 3, MPI_COMM_WORLD);                         /* @large-send */
    if (rank == 1) MPI_Recv_c(&x, one, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      /* @large-recv */
    MPI_Reduce_c(&x, &sum, one, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);                          /* @large-reduce */
#endif
    MPI_Finalize();
    return 0;
}
