/* Points with three coordinates each, of which a list says which ones leave for the next process: a block for each index. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: MPI_Ssend @give -> @take
 *     senders [0..np-2] to rank + 1
 *     receivers [1..np-1] from rank - 1
 *     15 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of MPI_Ssend @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define POINTS 20
#define LEAVING 5

int main(int argc, char **argv)
{
    int rank, np, leaving[LEAVING];
    double point[POINTS][3], moved[3 * LEAVING], come[LEAVING][3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            point[i][k] = rank + 0.1 * i + 0.01 * k;
    for (int i = 0; i < LEAVING; i++)
        leaving[i] = (7 * i + 2) % POINTS;

    if (rank < np - 1) {
        for (int i = 0; i < LEAVING; i++) //~ NOTE use-datatype: MPI_Type_create_indexed_block
            for (int k = 0; k < 3; k++)
                moved[3 * i + k] = point[leaving[i]][k];
        MPI_Ssend(moved, 3 * LEAVING, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD); //@ give
    }
    if (rank > 0) {
        MPI_Recv(come, 3 * LEAVING, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
        printf("rank %d: %.2f %.2f\n", rank, come[0][0], come[LEAVING - 1][2]);
    }
    MPI_Finalize();
    return 0;
}
