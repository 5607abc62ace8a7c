/* Two sides describe the same record, but one of them lists its parts in another order: what arrives first is not what is expected first.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: line +40 -> line +38
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 datatype of line 31, called at line 45 (1 int, 1 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of line +40 -> line +38
 */
#include <mpi.h>
#include <stddef.h>

struct sample {
    int step;
    double value;
};

static MPI_Datatype sample_type(int value_first)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {offsetof(struct sample, step), offsetof(struct sample, value)};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, type;

    if (value_first) {
        places[0] = offsetof(struct sample, value);
        places[1] = offsetof(struct sample, step);
        parts[0] = MPI_DOUBLE;
        parts[1] = MPI_INT;
    }
    MPI_Type_create_struct(2, lengths, places, parts, &type);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char **argv)
{
    int rank, size;
    struct sample sample = {0, 0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    type = sample_type(rank == 0);
    if (rank == 0)
        for (int from = 1; from < size; from++)
            MPI_Recv(&sample, 1, type, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //~ MUST datatype-mismatch
    else
        MPI_Send(&sample, 1, type, 0, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
