/* MPICH's name for the file part of MPI; here all of MPI is in mpi.h. */
#include "mpi.h"
