/* Three halo widths have a type each, made, committed and freed in three loops by a pointer into the array.
 *
 * Right; near-miss of datatype-uncommitted, datatype-leak and double-free.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 43 (1 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 43 (2 double), tag 1, MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 datatype of line 43 (3 double), tag 2, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *   pattern: ring of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 *   pattern: ring of MPI_Sendrecv line +25 -> MPI_Sendrecv line +25
 */
#include <mpi.h>

#define WIDTHS 3

static void finish_type(MPI_Datatype *type)
{
    MPI_Type_commit(type);
}

int main(int argc, char **argv)
{
    int rank, size;
    double out[WIDTHS] = {0}, in[WIDTHS];
    MPI_Datatype types[WIDTHS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    for (int w = 0; w < WIDTHS; w++)
        MPI_Type_contiguous(w + 1, MPI_DOUBLE, &types[w]);
    for (int w = 0; w < WIDTHS; w++)
        finish_type(&types[w]);
    for (int w = 0; w < WIDTHS; w++)
        MPI_Sendrecv(out, 1, types[w], (rank + 1) % size, w, in, 1, types[w], (rank + size - 1) % size, w, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    for (int w = 0; w < WIDTHS; w++)
        MPI_Type_free(&types[w]);

    MPI_Finalize();
    return 0;
}
