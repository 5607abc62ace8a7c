/* A record is sent as a whole and received part by part: the basic types are the same, in the same order.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 datatype of line 31 (2 int, 3 double), tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @give -> @take
 */
#include <mpi.h>
#include <stddef.h>

struct point {
    int id, kind;
    double place[3];
};

int main(int argc, char **argv)
{
    int rank, size, lengths[2] = {2, 3};
    struct point point = {0, 1, {0, 0, 0}};
    MPI_Aint places[2] = {offsetof(struct point, id), offsetof(struct point, place)};
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}, whole, triple, pieces[3];
    int ones[3] = {1, 1, 1};
    MPI_Aint starts[3] = {offsetof(struct point, id), offsetof(struct point, kind), offsetof(struct point, place)};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_create_struct(2, lengths, places, parts, &whole);
    MPI_Type_contiguous(3, MPI_DOUBLE, &triple);
    pieces[0] = pieces[1] = MPI_INT;
    pieces[2] = triple;
    MPI_Datatype pieced;
    MPI_Type_create_struct(3, ones, starts, pieces, &pieced);
    MPI_Type_free(&triple);
    MPI_Type_commit(&whole);
    MPI_Type_commit(&pieced);
    if (rank + 1 < size)
        MPI_Send(&point, 1, whole, rank + 1, 0, MPI_COMM_WORLD); //@ give
    if (rank > 0)
        MPI_Recv(&point, 1, pieced, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
    MPI_Type_free(&whole);
    MPI_Type_free(&pieced);
    MPI_Finalize();
    return 0;
}
