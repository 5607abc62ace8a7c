#include "distribute.h"

#include <mpi.h>

static const int tag = 3;

void hand_out(const double *part, int to)
{
    MPI_Send(part, PART, MPI_DOUBLE, to, tag, MPI_COMM_WORLD); //@ hand-out
}

void take_in(double *part, int from)
{
    MPI_Recv(part, PART, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); //@ take-in
}
