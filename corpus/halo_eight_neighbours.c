/* A halo with corners on an open mesh: eight neighbours, those on the diagonals found by their coordinates. */
/* expect:
 *   compile-flags: -Wno-stringop-overflow
 *   verdict: bounded to 2..5
 *   because: @take: a loop over all other ranks meets ranks that are divided
 *   because: the channels shown are those of np = 5
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [1..4] to rank - 1
 *     receivers [0..3] from rank + 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   channel: MPI_Isend @give -> MPI_Irecv @take
 *     senders [0..3] to rank + 1
 *     receivers [1..4] from rank - 1
 *     1 MPI_DOUBLE, tag 0, grid of MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Cart_create @make, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Isend @give -> MPI_Irecv @take
 *   pattern: shift of MPI_Isend @give -> MPI_Irecv @take
 *   fact: line +30 printf on [0..0]: rank = 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, np, dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], number = 0;
    double mine = 1, theirs[8] = {0};
    MPI_Comm mesh;
    MPI_Request requests[16];


    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    MPI_Dims_create(np, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh); //@ make
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_coords(mesh, rank, 2, coords);

    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int there[2] = {coords[0] + dy, coords[1] + dx}, neighbour;
            if ((dy == 0 && dx == 0) || there[0] < 0 || there[0] >= dims[0] || there[1] < 0 || there[1] >= dims[1])
                continue;
            MPI_Cart_rank(mesh, there, &neighbour);
            MPI_Irecv(&theirs[number / 2], 1, MPI_DOUBLE, neighbour, 0, mesh, &requests[number]); //@ take
            MPI_Isend(&mine, 1, MPI_DOUBLE, neighbour, 0, mesh, &requests[number + 1]);           //@ give
            number += 2;
        }
    MPI_Waitall(number, requests, MPI_STATUSES_IGNORE);
    printf("rank %d: %d neighbours, %g\n", rank, number / 2, theirs[0]);

    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
