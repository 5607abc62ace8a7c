/* One of the block lengths is below zero. */
/* expect:
 *   verdict: exact for any np >= 1
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int lengths[3] = {2, -1, 2}, places[3] = {0, 4, 8};
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &blocks); //~ MUST invalid-count: number 1 of the array
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
