/* Every way to send, to receive and to complete that the tracer knows. At least 2 ranks; ranks 0 and 1 do the work. */
#include <mpi.h>
#include <stdlib.h>

static int rank, x;
static MPI_Request r[4];

static void sender(void) {
    static char buffer[4096];
    int size = sizeof buffer;
    MPI_Buffer_attach(buffer, size);
    MPI_Barrier(MPI_COMM_WORLD); /* the ready receives are posted */
    MPI_Rsend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Irsend(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Bsend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Ibsend(&x, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &r[1]);
    MPI_Issend(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Ssend(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(&x, 1, MPI_INT, 1, 8, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, 1, 10, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 11, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 12, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 12, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 13, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 13, MPI_COMM_WORLD);

    MPI_Send_init(&x, 1, MPI_INT, 1, 20, MPI_COMM_WORLD, &r[0]);
    MPI_Bsend_init(&x, 1, MPI_INT, 1, 21, MPI_COMM_WORLD, &r[1]);
    MPI_Ssend_init(&x, 1, MPI_INT, 1, 22, MPI_COMM_WORLD, &r[2]);
    MPI_Rsend_init(&x, 1, MPI_INT, 1, 23, MPI_COMM_WORLD, &r[3]);
    for (int i = 0; i < 2; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Start(&r[0]);
        MPI_Startall(3, r + 1);
        MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; i++) MPI_Request_free(&r[i]);
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 99, MPI_COMM_WORLD);
    MPI_Buffer_detach(buffer, &size);
}

static void receiver(void) {
    MPI_Status status, statuses[4];
    MPI_Message message;
    int y[4], flag, index, done, indices[4];
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&y[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &r[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
    MPI_Waitany(2, r, &index, &status);
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[0]);
    do MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
    while (!flag);
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&y[1], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &r[1]);
    for (int left = 2; left > 0; left -= done) MPI_Waitsome(2, r, &done, indices, statuses);
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 6, MPI_COMM_WORLD, &r[0]);
    do MPI_Testany(1, r, &index, &flag, &status);
    while (!flag);
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &r[0]);
    do MPI_Testsome(1, r, &done, indices, MPI_STATUSES_IGNORE);
    while (done == 0);
    MPI_Sendrecv_replace(y, 1, MPI_INT, 0, 9, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(y, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    do MPI_Improbe(0, 11, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    MPI_Imrecv(y, 1, MPI_INT, &message, &r[0]);
    MPI_Wait(&r[0], &status);
    /* Completed in the other order than posted: the first posted got the first sent all the same. */
    MPI_Irecv(&y[0], 1, MPI_INT, 0, 12, MPI_COMM_WORLD, &r[0]); /* @first-posted */
    MPI_Irecv(&y[1], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &r[1]); /* @second-posted */
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Irecv(&y[0], 2, MPI_INT, 0, 13, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&y[2], 2, MPI_INT, 0, 13, MPI_COMM_WORLD, &r[1]);
    do MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
    while (!flag);

    for (int i = 0; i < 4; i++)
        MPI_Recv_init(&y[i], 1, MPI_INT, 0, 20 + i, MPI_COMM_WORLD, &r[i]); /* @recv-init */
    for (int i = 0; i < 2; i++) {
        MPI_Startall(4, r); /* @startall */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(4, r, statuses);
    }
    for (int i = 0; i < 4; i++) MPI_Request_free(&r[i]);
    MPI_Recv(y, 1, MPI_INT, MPI_PROC_NULL, 99, MPI_COMM_WORLD, &status);
    /* Never arrives. */
    MPI_Irecv(y, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) sender();
    else if (rank == 1) receiver();
    else for (int i = 0; i < 3; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
