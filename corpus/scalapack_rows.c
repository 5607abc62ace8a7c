/* A matrix that is dealt out by rows, three at a time to four processes, is to be dealt out two at a time to the first three of them.
 */
/* expect:
 *   np: 4
 *   run: no, ScaLAPACK is not installed everywhere
 *   compile-flags: -Wl,--unresolved-symbols=ignore-in-object-files
 *   verdict: exact for np = 4
 *   assuming: not analysed and assumed not to communicate: blacs_get_, blacs_gridinit_, descinit_, numroc_, psgemr2d_
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

void blacs_get_(const int *context, const int *what, int *value);
void blacs_gridinit_(int *context, const char *order, const int *rows, const int *columns);
void psgemr2d_(const int *rows, const int *columns, const float *from, const int *from_row, const int *from_column,
               const int *from_descriptor, float *to, const int *to_row, const int *to_column, const int *to_descriptor,
               const int *context);

#define ROWS 144
#define COLUMNS 10

static float old[ROWS * COLUMNS], new[ROWS * COLUMNS];

int main(int argc, char **argv)
{
    int rank, np, all, few, before[9], after[9], info, zero = 0, one = 1, three = 3, four = 4;
    int rows = ROWS, columns = COLUMNS, two = 2, leading;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np != 4)
        MPI_Abort(MPI_COMM_WORLD, 1);
    blacs_get_(&zero, &zero, &all);
    few = all;
    blacs_gridinit_(&all, "Column", &four, &one);
    blacs_gridinit_(&few, "Column", &three, &one);

    leading = numroc_(&rows, &three, &rank, &zero, &four);
    descinit_(before, &rows, &columns, &three, &columns, &zero, &zero, &all, &leading, &info);
    leading = numroc_(&rows, &two, &rank, &zero, &three);
    descinit_(after, &rows, &columns, &two, &columns, &zero, &zero, &few, &leading, &info);
    psgemr2d_(&rows, &columns, old, &one, &one, before, new, &one, &one, after, &all); //~ NOTE schedule-redistribution: --from 4,3 --from 1,10 --to 3,2 --to 1,10

    printf("%g\n", new[0]);
    MPI_Finalize();
    return 0;
}
