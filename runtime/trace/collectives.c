/* The collective operations; each is logged when it starts. */
#include "trace.h"

static bool is_root(MPI_Comm comm, int root) {
    int rank;
    PMPI_Comm_rank(comm, &rank);
    return rank == root;
}

int MPI_Barrier(MPI_Comm comm) {
    log_collective("MPI_Barrier", CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
    log_collective("MPI_Ibarrier", CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    return PMPI_Ibarrier(comm, request);
}

#if MPI_VERSION >= 4
/* A persistent collective was described. */
static void prepare(const char *op, const void *site, MPI_Comm comm, int root, MPI_Count count, MPI_Datatype type,
                    MPI_Request request) {
    if (!tracing()) return;
    operation o = describe_collective(op, site, comm, root, count, type);
    o.persistent = true;
    o.prepared = next_prepared(comm);
    remember(o, request);
}

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    int code = PMPI_Barrier_init(comm, info, request);
    if (code == MPI_SUCCESS)
        prepare("MPI_Barrier_init", CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL, *request);
    return code;
}
#endif

#define COUNT int
#define DISPLACEMENT int
#define NAMED(PREFIX, NAME) PREFIX##NAME
#include "calls_of_collectives.h"

#if MPI_VERSION >= 4
#undef COUNT
#undef DISPLACEMENT
#undef NAMED
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define NAMED(PREFIX, NAME) PREFIX##NAME##_c
#include "calls_of_collectives.h"
#endif
