/* One coordinate of the points that a list names: the datatype of an element is as long as a point. */
/* expect:
 *   verdict: exact for any np >= 1
 *   channel: @give -> @take
 *     senders [1..np-1] to 0
 *     receivers [0..0] from each of [1..np-1]
 *     4 MPI_FLOAT, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: gather of @give -> @take
 */
#include <mpi.h>
#include <stdio.h>

#define POINTS 20
#define SEEN 4

int main(int argc, char **argv)
{
    int rank, np, seen[SEEN];
    float point[POINTS][3], height[SEEN], theirs[SEEN];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            point[i][k] = (float)(rank + 0.5 * i + 0.25 * k);
    for (int i = 0; i < SEEN; i++)
        seen[i] = 3 * i + 1;

    if (rank > 0) {
        for (int i = 0; i < SEEN; i++) //~ NOTE use-datatype: MPI_Type_create_indexed_block
            height[i] = point[seen[i]][2];
        MPI_Send(height, SEEN, MPI_FLOAT, 0, 0, MPI_COMM_WORLD); //@ give
    } else {
        for (int from = 1; from < np; from++) {
            MPI_Recv(theirs, SEEN, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take
            printf("%d: %.2f %.2f\n", from, theirs[0], theirs[SEEN - 1]);
        }
    }
    MPI_Finalize();
    return 0;
}
