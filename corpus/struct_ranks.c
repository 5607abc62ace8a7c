/* A program that keeps its ranks in a struct, filled by one function and read by others through a pointer.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *     senders [0..np-1] to (rank + 1) % np
 *     receivers [0..np-1] from (rank - 1 + np) % np
 *     1 MPI_INT, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @report -> @collect
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     1 MPI_INT, tag 1, MPI_COMM_WORLD, repeat 1
 *   pattern: ring of MPI_Sendrecv @pass -> MPI_Sendrecv @pass
 *   pattern: gather of @report -> @collect
 */
#include <mpi.h>

struct process {
    int rank, size;
    struct {
        int next, previous;
    } ring;
};

static void process_init(struct process *p)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &p->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p->size);
    p->ring.next = (p->rank + 1) % p->size;
    p->ring.previous = (p->rank + p->size - 1) % p->size;
}

static int is_root(const struct process *p)
{
    return p->rank == 0;
}

static int rotate(const struct process *p, int value)
{
    int got;

    MPI_Sendrecv(&value, 1, MPI_INT, p->ring.next, 0, &got, 1, MPI_INT, p->ring.previous, 0, //@ pass
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return got;
}

static int collect(const struct process *p, int value)
{
    int sum = value;

    if (!is_root(p)) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);                                  //@ report
        return 0;
    }
    for (int i = 1; i < p->size; i++) {
        MPI_Recv(&value, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);               //@ collect //~ NOTE use-collective: MPI_Reduce
        sum += value;
    }
    return sum;
}

int main(int argc, char **argv)
{
    struct process self;

    MPI_Init(&argc, &argv);
    process_init(&self);
    collect(&self, rotate(&self, self.rank));
    MPI_Finalize();
    return 0;
}
