/* A sweep from the last corner of a mesh to the first one: how many columns it has is said on the command line, and the number of processes has to be a multiple. */
/* expect:
 *   np: 2, 4, 6, 8
 *   verdict: exact for any np >= 1
 *   assuming: line +17: the exit of the program is not taken
 *   assuming: the command line is the same on every rank
 *   because: defects besides waiting for ever were looked for at np = 2..5 only
 *   channel: @to-left -> @from-right
 *     senders {i*columns + j: i in [0..rows-1], j in [1..columns-1]} for columns >= 2 and (np % columns) = 0 to rank - 1
 *     receivers {i*columns + j: i in [0..rows-1], j in [0..columns-2]} for columns >= 2 and (np % columns) = 0 from rank + 1
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   channel: @above -> @from-below
 *     senders [columns..np-1] for rows >= 2 and (np % columns) = 0 to rank - columns
 *     receivers [0..np-columns-1] for rows >= 2 and (np % columns) = 0 from rank + columns
 *     1 MPI_DOUBLE, tag 0, MPI_COMM_WORLD, repeat 1
 *   pattern: shift of @to-left -> @from-right
 *   pattern: shift of @above -> @from-below
 *   fact: line +16 fprintf on [0..0]: np = 5
 *   fact: line +31 printf on [4..4]: rank = 4
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
