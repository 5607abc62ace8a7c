/* Messages and collectives on made communicators; 4 ranks. Ranks in the log are those in MPI_COMM_WORLD. */
#include <mpi.h>

int main(int argc, char **argv) {
    int rank, x = 0, all[4], one = 1, dims[2] = {2, 2}, periods[2] = {0, 1}, keep[2] = {1, 0}, blocks[2] = {0, 2};
    MPI_Comm half, copy, late, grid, column, pair, inter, merged;
    MPI_Request request;
    MPI_Group world, members;
    MPI_Datatype two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    /* {3, 1} and {2, 0}: the key reverses them. */
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    if (rank >= 2) MPI_Send(&x, 1, MPI_INT, 1, 0, half); /* @half-send */
    else MPI_Recv(&x, 1, MPI_INT, 0, 0, half, MPI_STATUS_IGNORE); /* @half-recv */
    MPI_Bcast(&x, 1, MPI_INT, 1, half); /* @half-bcast */

    MPI_Comm_dup(half, &copy);
    MPI_Reduce(&rank, &x, 1, MPI_INT, MPI_SUM, 0, copy); /* @copy-reduce */
    MPI_Comm_idup(MPI_COMM_WORLD, &late, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, late); /* @late-allgather */

    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_sub(grid, keep, &column);
    MPI_Iallreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, column, &request); /* @column-iallreduce */
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    int ends[2] = {0, 3};
    MPI_Group_incl(world, 2, ends, &members);
    if (rank == 0 || rank == 3) {
        MPI_Comm_create_group(MPI_COMM_WORLD, members, 9, &pair);
        MPI_Type_create_indexed_block(2, 1, blocks, MPI_INT, &two);
        MPI_Type_commit(&two);
        if (rank == 0) MPI_Send(all, 1, two, 1, 4, pair); /* @pair-send */
        else MPI_Recv(all, 2, MPI_INT, 0, 4, pair, MPI_STATUS_IGNORE); /* @pair-recv */
        MPI_Type_free(&two);
        MPI_Comm_free(&pair);
    }

    /* Ranks of an intercommunicator count in the other group: 0 there is 2 or 3 here. */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 6, &inter);
    if (rank == 3) MPI_Send(&x, 1, MPI_INT, 1, 7, inter); /* @inter-send */
    if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 0, 7, inter, MPI_STATUS_IGNORE); /* @inter-recv */
    MPI_Bcast(&one, 1, MPI_INT, rank % 2 ? 0 : (rank == 2 ? MPI_ROOT : MPI_PROC_NULL), inter); /* @inter-bcast */
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Barrier(merged); /* @merged-barrier */
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 2, MPI_COMM_WORLD); /* @gather */

    MPI_Group_free(&world);
    MPI_Group_free(&members);
    MPI_Finalize();
    return 0;
}
