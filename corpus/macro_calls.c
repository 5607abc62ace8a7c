/* All communication is written with macros, as programs do that were ported from another library.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @put -> @get
 *     senders [0..0] to each of [1..np-1]
 *     receivers [1..np-1] from 0
 *     3 MPI_DOUBLE, tag 17, MPI_COMM_WORLD, repeat 1
 *   channel: @put-back -> @get-back
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_DOUBLE, tag 17, MPI_COMM_WORLD, repeat 1
 *   pattern: fan-out of @put -> @get
 *   pattern: gather of @put-back -> @get-back
 */
#include <mpi.h>

#define put_real(to, x, n) MPI_Send((x), (n), MPI_DOUBLE, (to), __LINE__ > 0 ? 17 : 18, MPI_COMM_WORLD)
#define get_real(from, x, n) MPI_Recv((x), (n), MPI_DOUBLE, (from), 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#define for_all_others(p) for (int p = 1; p < np; p++)
#define root (rank == 0)

int main(int argc, char **argv)
{
    int rank, np;
    double x[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    if (root) {
        for_all_others (p)
            put_real(p, x, 3);      //@ put
    } else {
        get_real(0, x, 3);          //@ get
        x[0] += rank;
        put_real(0, x, 1);          //@ put-back
    }
    if (root)
        for_all_others (p)
            get_real(p, x, 1);      //@ get-back

    MPI_Finalize();
    return 0;
}
