/* Only a corner of the matrix goes to its new place: the distributions of the whole say nothing of its messages.
 */
/* expect:
 *   np: 4
 *   run: no, ScaLAPACK is not installed everywhere
 *   compile-flags: -Wl,--unresolved-symbols=ignore-in-object-files
 *   verdict: exact for np = 4
 *   assuming: not analysed and assumed not to communicate: Cblacs_get, Cblacs_gridexit, Cblacs_gridinit, Cpdgemr2d, descinit_
 */
#include <mpi.h>
#include <stdio.h>

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *block, const int *process, const int *first, const int *processes);
void descinit_(int *descriptor, const int *rows, const int *columns, const int *row_block, const int *column_block,
               const int *first_row, const int *first_column, const int *context, const int *leading, int *info);

void Cpdgemr2d(int rows, int columns, double *from, int from_row, int from_column, int *from_descriptor, double *to,
               int to_row, int to_column, int *to_descriptor, int context);

#define ROWS 10
#define COLUMNS 120

static double old[ROWS * COLUMNS], new[ROWS * COLUMNS];

int main(int argc, char **argv)
{
    int np, context, before[9], after[9], info;
    int rows = ROWS, columns = COLUMNS, three = 3, five = 5, zero = 0, leading = ROWS;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row", 1, 4);

    descinit_(before, &rows, &columns, &rows, &three, &zero, &zero, &context, &leading, &info);
    descinit_(after, &rows, &columns, &rows, &five, &zero, &zero, &context, &leading, &info);
    Cpdgemr2d(ROWS, 20, old, 1, 8, before, new, 1, 1, after, context);

    printf("%g\n", new[0]);
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
