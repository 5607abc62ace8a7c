/* The first address is subtracted from itself before it is subtracted from the others: they stay what they are. */
/* expect:
 *   verdict: exact for any np >= 1
 *   lengths: not proved, line +30: how many bytes MPI_Bcast accesses of its buffer is not known
 *   collective: MPI_Bcast line +30, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 */
#include <mpi.h>
#include <stdio.h>

struct window {
    char display[50];
    int iterations;
    double xmin, ymin, xmax, ymax;
    int width, height;
};

int main(int argc, char **argv)
{
    int rank, lengths[4] = {50, 1, 4, 2};
    struct window w = {"", 0, 0.0, 0.0, 0.0, 0.0, 0, 0};
    MPI_Aint places[4];
    MPI_Datatype types[4] = {MPI_CHAR, MPI_INT, MPI_DOUBLE, MPI_INT}, type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&w.display, &places[0]);
    MPI_Get_address(&w.iterations, &places[1]);
    MPI_Get_address(&w.xmin, &places[2]);
    MPI_Get_address(&w.width, &places[3]);
    for (int i = 0; i < 4; i++)
        places[i] -= places[0];
    MPI_Type_create_struct(4, lengths, places, types, &type); //~ MUST struct-layout: the displacements are addresses
    MPI_Type_commit(&type);
    if (rank == 0)
        w.width = 800;
    MPI_Bcast(&w, 1, type, 0, MPI_COMM_WORLD);
    printf("%d: %d wide\n", rank, w.width);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
