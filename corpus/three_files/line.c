#include "line.h"

#include <mpi.h>

static int neighbour(const struct line *line, int offset)
{
    int other = line->rank + offset;

    return other < 0 || other >= line->size ? MPI_PROC_NULL : other;
}

void line_find(struct line *line)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &line->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &line->size);
    line->left = neighbour(line, -1);
    line->right = neighbour(line, +1);
}
