/* The collective operations; each is logged when it starts. */
#include "trace.h"

#include <stdlib.h>

/* From whom and to whom a process has edges in a topology. One block of memory, which begins with the sources. */
typedef struct {
    int in, out;
    int *sources, *destinations;
} neighbours;

static neighbours neighbours_of(MPI_Comm comm) {
    int topology = MPI_UNDEFINED, weighted, rank;
    neighbours n = {0};
    if (!tracing() || comm == MPI_COMM_NULL) return n;
    PMPI_Topo_test(comm, &topology);
    PMPI_Comm_rank(comm, &rank);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm, &n.in);
        n.in = n.out = 2 * n.in;
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &n.in, &n.out, &weighted);
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm, rank, &n.in);
        n.out = n.in;
    }
    n.sources = allocate((size_t)(n.in + n.out + 1) * sizeof(int));
    n.destinations = n.sources + n.in;
    if (topology == MPI_CART) {
        for (int i = 0; i < n.in; i += 2) PMPI_Cart_shift(comm, i / 2, 1, &n.sources[i], &n.sources[i + 1]);
    } else if (topology == MPI_DIST_GRAPH) {
        int *weights = allocate((size_t)(n.in + n.out + 1) * sizeof(int));
        PMPI_Dist_graph_neighbors(comm, n.in, n.sources, weights, n.out, n.destinations, weights + n.in);
        free(weights);
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors(comm, rank, n.in, n.sources);
    }
    if (topology != MPI_DIST_GRAPH)
        for (int i = 0; i < n.in; i++) n.destinations[i] = n.sources[i];
    return n;
}

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
