#include <stdio.h>
#include "mpitypes.h"

int main(int argc, char **argv)
{
    Particle particles[100] = {{.cell = 0}};
    int rank;

    MPI_Init(&argc, &argv);
    Build_MPI_Types();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) particles[99].cell = 42;
    MPI_Bcast(particles, 100, AutoMap_Particle, 0, MPI_COMM_WORLD);
    printf("%d: %d\n", rank, particles[99].cell);
    Free_MPI_Types();
    MPI_Finalize();
    return 0;
}
