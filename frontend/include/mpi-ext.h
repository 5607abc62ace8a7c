/* Open MPI's name for its extensions; none of them is declared here, so tests for them find nothing. */
#include "mpi.h"
