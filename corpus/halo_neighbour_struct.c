/* A halo exchange whose neighbours, buffers and requests live in a struct that functions fill, use and wait for.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Isend @to-right -> MPI_Irecv @from-left
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @to-left -> MPI_Irecv @from-right
 *     senders [1..np-1] to rank - 1
 *     receivers [0..np-2] from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @to-right -> MPI_Irecv @from-left
 *   pattern: shift of MPI_Isend @to-left -> MPI_Irecv @from-right
 */
#include <mpi.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    int left, right;
    int cells;
    double *u;
    MPI_Request requests[4];
} line_t;

static void line_init(line_t *line, MPI_Comm comm, int cells)
{
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    line->comm = comm;
    line->left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    line->right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    line->cells = cells;
    line->u = calloc(cells + 2, sizeof(double));
}

static void line_start(line_t *line)
{
    double *u = line->u;
    int n = line->cells;

    MPI_Irecv(u, 1, MPI_DOUBLE, line->left, 0, line->comm, &line->requests[0]);           //@ from-left
    MPI_Irecv(u + n + 1, 1, MPI_DOUBLE, line->right, 0, line->comm, &line->requests[1]);  //@ from-right
    MPI_Isend(u + n, 1, MPI_DOUBLE, line->right, 0, line->comm, &line->requests[2]);      //@ to-right
    MPI_Isend(u + 1, 1, MPI_DOUBLE, line->left, 0, line->comm, &line->requests[3]);       //@ to-left
}

static void line_finish(line_t *line)
{
    MPI_Waitall(4, line->requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    line_t line;

    MPI_Init(&argc, &argv);
    line_init(&line, MPI_COMM_WORLD, 100);
    line_start(&line);
    line_finish(&line);
    free(line.u);
    MPI_Finalize();
    return 0;
}
