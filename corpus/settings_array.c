/* Rank 0 reads three numbers and broadcasts them as one array: afterwards every rank decides alike by each of them.
 */
/* expect:
 *   verdict: exact for any np >= 1
 *   collective: MPI_Bcast @settings, root 0, ranks [0..np-1], MPI_COMM_WORLD, repeat 1
 *   collective: MPI_Barrier @wait, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 *   collective: MPI_Allreduce @sum, ranks [0..np-1], MPI_COMM_WORLD, repeat unknown
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, i, settings[3] = { 0, 0, 0 };
    double data = 0.0, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0 && scanf("%d %d %d", &settings[0], &settings[1], &settings[2]) != 3)
        settings[0] = settings[1] = settings[2] = 1;
    MPI_Bcast(settings, 3, MPI_INT, 0, MPI_COMM_WORLD);                                     //@ settings

    if (settings[1] > 0)
        MPI_Barrier(MPI_COMM_WORLD);                                                        //@ wait
    for (i = 0; i < settings[2]; i++)
        MPI_Allreduce(&data, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);                 //@ sum

    MPI_Finalize();
    return 0;
}
