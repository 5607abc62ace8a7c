/* Every call goes through a macro that looks at its error code and stops the program if there is one.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @pass -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Bcast @result, root np - 1, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @pass -> @take
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        int code_ = (call);                                                                        \
        if (code_ != MPI_SUCCESS) {                                                                \
            fprintf(stderr, "%s:%d: %s failed with %d\n", __FILE__, __LINE__, #call, code_);       \
            MPI_Abort(MPI_COMM_WORLD, code_);                                                      \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

int main(int argc, char **argv)
{
    int rank, np, x = 0;

    CHECK(MPI_Init(&argc, &argv));
    CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    CHECK(MPI_Comm_size(MPI_COMM_WORLD, &np));

    if (rank > 0)
        CHECK(MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));     //@ take
    x += rank;
    if (rank < np - 1)
        CHECK(MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD));                        //@ pass
    CHECK(MPI_Bcast(&x, 1, MPI_INT, np - 1, MPI_COMM_WORLD));                                //@ result

    CHECK(MPI_Finalize());
    return 0;
}
