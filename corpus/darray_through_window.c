/* The whole array lies in the memory of rank 0: each process puts what it has by the old distribution, and gets what it is to have by
 * the new one.
 */
/* expect:
 *   np: 4
 *   trace: no, the tracer does not log one-sided messages
 *   verdict: exact for np = 4
 *   assuming: one-sided operations and their epochs end; what they transfer is not listed
 *   lengths: not proved, line +29: whether the target of MPI_Put has room is not known
 *   lengths: not proved, line +31: whether the target of MPI_Get has room is not known
 *   collective: MPI_Win_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence @begin, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence @all there, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_fence @end, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Win_free @gone, ranks [0..np-1], window of MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

#define N 60

int main(int argc, char **argv)
{
    int n = N, kind = MPI_DISTRIBUTE_CYCLIC, single = 1, three = 3, grid = 4;
    int rank, np, old[N / 4], new[N / 4];
    static int whole[N];
    MPI_Datatype dealt, in_threes;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < N / 4; i++)
        old[i] = 1000 * rank + i;

    MPI_Type_create_darray(np, rank, 1, &n, &kind, &single, &grid, MPI_ORDER_C, MPI_INT, &dealt);
    MPI_Type_create_darray(np, rank, 1, &n, &kind, &three, &grid, MPI_ORDER_C, MPI_INT, &in_threes);
    MPI_Type_commit(&dealt);
    MPI_Type_commit(&in_threes);

    MPI_Win_create(whole, rank == 0 ? (MPI_Aint)sizeof whole : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window); //@ make
    MPI_Win_fence(0, window);                                       //@ begin
    MPI_Put(old, N / 4, MPI_INT, 0, 0, 1, dealt, window);
    MPI_Win_fence(0, window);                                       //@ all there
    MPI_Get(new, N / 4, MPI_INT, 0, 0, 1, in_threes, window); //~ NOTE schedule-redistribution: --from 4,1 --to 4,3
    MPI_Win_fence(0, window);                                       //@ end
    MPI_Win_free(&window);                                          //@ gone

    for (int i = 0; i < N / 4; i++)
        printf("rank %d: %d\n", rank, new[i]);
    MPI_Type_free(&dealt);
    MPI_Type_free(&in_threes);
    MPI_Finalize();
    return 0;
}
