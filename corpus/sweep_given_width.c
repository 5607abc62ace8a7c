/* A sweep from the last corner of a mesh to the first one: how many columns it has is said on the command line, and the number of processes has to be a multiple. */
/* expect:
 *   np: 2, 4, 6, 8
 *   verdict: exact for any np >= 1
 *   assuming: line +17: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   channel: @to-left -> @from-right
 *     senders {atoi(argv[1])*i + j: i in [0..(np / atoi(argv[1]))-1], j in [1..atoi(argv[1])-1]} to rank - 1
 *     receivers {atoi(argv[1])*i + j: i in [0..(np / atoi(argv[1]))-1], j in [0..atoi(argv[1])-2]} from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @to-left -> @from-right
 *     senders [1..2*(np / 2)-1] step 2 to rank - 1
 *     receivers [0..2*(np / 2)-2] step 2 from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @above -> @from-below
 *     senders {atoi(argv[1])*i + j: i in [1..(np / atoi(argv[1]))-1], j in [0..atoi(argv[1])-1]} to rank - atoi(argv[1])
 *     receivers {atoi(argv[1])*i + j: i in [0..(np / atoi(argv[1]))-2], j in [0..atoi(argv[1])-1]} from rank + atoi(argv[1])
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   channel: @above -> @from-below
 *     senders {2*i + j: i in [1..(np / 2)-1], j in [0..1]} to rank - 2
 *     receivers {2*i + j: i in [0..(np / 2)-2], j in [0..1]} from rank + 2
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat unknown
 *   pattern: shift of @to-left -> @from-right
 *   pattern: shift of @to-left -> @from-right
 *   pattern: shift of @above -> @from-below
 *   pattern: shift of @above -> @from-below
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, np;
    double value = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int columns = argc > 1 ? atoi(argv[1]) : 2;
    if (columns < 1 || np % columns != 0) {
        fprintf(stderr, "%d processes are no mesh of %d columns\n", np, columns);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int rows = np / columns, row = rank / columns, column = rank % columns;
    if (column + 1 < columns)
        MPI_Recv(&value, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);         //@ from-right
    if (row + 1 < rows)
        MPI_Recv(&value, 1, MPI_DOUBLE, rank + columns, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   //@ from-below
    value += rank;
    if (column > 0)
        MPI_Send(&value, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD);                            //@ to-left
    if (row > 0)
        MPI_Send(&value, 1, MPI_DOUBLE, rank - columns, 0, MPI_COMM_WORLD);                      //@ above

    printf("%d: %f\n", rank, value);
    MPI_Finalize();
    return 0;
}
