/* Windows: the collective calls that make, synchronise and free them. One-sided operations are no messages: they are not logged. */
#include "trace.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int info_key = MPI_KEYVAL_INVALID;

static void make_key(void) { PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &info_key, NULL); }

/* Names a new window like a communicator that is made of the same one. */
static void adopt_window(MPI_Comm parent, MPI_Win window) {
    MPI_Group group;
    pthread_once(&once, make_key);
    PMPI_Win_get_group(window, &group);
    PMPI_Win_set_attr(window, info_key, name_child(parent, group));
    PMPI_Group_free(&group);
}

static void log_on(const char *op, const void *site, MPI_Win window) {
    comm_info *info = NULL;
    int found = 0;
    if (!tracing() || window == MPI_WIN_NULL) return;
    pthread_once(&once, make_key);
    PMPI_Win_get_attr(window, info_key, &info, &found);
    if (!found) return;
    operation o = describe_collective(op, site, MPI_COMM_WORLD, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    o.comm = info;
    o.seq = next_seq();
    log_collective_start(&o);
}

/* PARAMETERS and ARGUMENTS are parenthesised lists without the last, the new window; the parent is `comm`. */
#define WINDOW(NAME, PARAMETERS, ARGUMENTS)                                                                            \
    int MPI_##NAME(UNWRAP PARAMETERS, MPI_Win *created) {                                                              \
        log_collective("MPI_" #NAME, CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);                              \
        int code = PMPI_##NAME(UNWRAP ARGUMENTS, created);                                                             \
        if (code == MPI_SUCCESS && tracing()) adopt_window(comm, *created);                                            \
        return code;                                                                                                   \
    }
WINDOW(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm), (base, size, unit, info, comm))
WINDOW(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base),
       (size, unit, info, comm, base))
WINDOW(Win_allocate_shared, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base),
       (size, unit, info, comm, base))
WINDOW(Win_create_dynamic, (MPI_Info info, MPI_Comm comm), (info, comm))
#if MPI_VERSION >= 4
WINDOW(Win_create_c, (void *base, MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm),
       (base, size, unit, info, comm))
WINDOW(Win_allocate_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base),
       (size, unit, info, comm, base))
WINDOW(Win_allocate_shared_c, (MPI_Aint size, MPI_Aint unit, MPI_Info info, MPI_Comm comm, void *base),
       (size, unit, info, comm, base))
#endif

int MPI_Win_fence(int assert, MPI_Win window) {
    log_on("MPI_Win_fence", CALLER, window);
    return PMPI_Win_fence(assert, window);
}

int MPI_Win_set_info(MPI_Win window, MPI_Info info) {
    log_on("MPI_Win_set_info", CALLER, window);
    return PMPI_Win_set_info(window, info);
}

int MPI_Win_free(MPI_Win *window) {
    log_on("MPI_Win_free", CALLER, *window);
    return PMPI_Win_free(window);
}
