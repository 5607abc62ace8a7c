/* A part of an array that begins one column too far to the right.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +15: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +15, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static int all[8][8];
    int sizes[2] = {8, 8}, part[2] = {3, 4}, start[2];
    MPI_Datatype box;

    MPI_Init(&argc, &argv);
    start[0] = sizes[0] - part[0];
    start[1] = sizes[1] - part[1] + 1;
    MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_INT, &box); //~ MUST invalid-count
    MPI_Type_commit(&box);
    MPI_Bcast(all, 1, box, 0, MPI_COMM_WORLD); //~ MAY buffer-overflow
    MPI_Type_free(&box);

    printf("%d\n", all[5][7]);
    MPI_Finalize();
    return 0;
}
