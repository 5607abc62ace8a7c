/* The calls that send and receive. */
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>

/* A persistent operation was described. */
static void prepare(operation_kind kind, const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer,
                    int tag, MPI_Comm comm, MPI_Request request) {
    if (!is_message(peer, comm)) return;
    operation o = describe(kind, op, site, count, type, peer, tag, comm);
    o.persistent = true;
    remember(o, request);
}

/* The number of a blocking receive that starts now. */
static long number(int source, MPI_Comm comm) { return is_message(source, comm) ? next_seq() : UNNUMBERED; }

/* A blocking receive ended. */
static void received(long seq, const char *op, const void *site, MPI_Count count, MPI_Datatype type, int source, int tag,
                     MPI_Comm comm, MPI_Status *status) {
    if (seq == UNNUMBERED) return;
    operation o = describe(RECV, op, site, count, type, source, tag, comm);
    o.seq = seq;
    log_recv(&o, status);
}

/* A receive that was posted. */
static void posted(const char *op, const void *site, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request request) {
    if (!is_message(source, comm)) return;
    operation o = describe(RECV, op, site, count, type, source, tag, comm);
    o.active = true;
    remember(o, request);
}

/* What MPI_Mprobe took and no receive has asked for yet. The message is taken by the probe, so that is when the receive
 * starts. */
typedef struct matched_message {
    MPI_Message message;
    long seq;
    const comm_info *comm;
    int source, tag;
    bool any_source, any_tag;
    struct matched_message *next;
} matched_message;

/* Guards the list. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static matched_message *matched;

static void take(MPI_Message message, int source, int tag, MPI_Comm comm, const MPI_Status *status) {
    if (!tracing() || message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL) return;
    matched_message *m = allocate(sizeof *m);
    *m = (matched_message){.message = message, .comm = info_of(comm), .source = status->MPI_SOURCE,
                           .tag = status->MPI_TAG, .any_source = source == MPI_ANY_SOURCE, .any_tag = tag == MPI_ANY_TAG};
    m->seq = next_seq();
    pthread_mutex_lock(&lock);
    m->next = matched;
    matched = m;
    pthread_mutex_unlock(&lock);
}

/* The receive that belongs to a matched message; false for none. */
static bool claim(MPI_Message message, const char *op, const void *site, MPI_Count count, MPI_Datatype type,
                  operation *o) {
    if (!tracing()) return false;
    pthread_mutex_lock(&lock);
    matched_message **place = &matched;
    while (*place && (*place)->message != message) place = &(*place)->next;
    matched_message *m = *place;
    if (m) *place = m->next;
    pthread_mutex_unlock(&lock);
    if (!m) return false;
    *o = (operation){.kind = RECV, .op = op, .site = site, .count = count, .comm = m->comm, .peer = m->source,
                          .tag = m->tag, .any_source = m->any_source, .any_tag = m->any_tag, .seq = m->seq};
    o->type_size = describe_type(type, o->datatype);
    free(m);
    return true;
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Mprobe(source, tag, comm, message, status);
    if (code == MPI_SUCCESS) take(*message, source, tag, comm, status);
    return code;
}

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Improbe(source, tag, comm, flag, message, status);
    if (code == MPI_SUCCESS && *flag) take(*message, source, tag, comm, status);
    return code;
}

#if MPI_VERSION >= 4
/* A partitioned message is one message of all its partitions. */
int MPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request) {
    int code = PMPI_Psend_init(buf, partitions, count, type, dest, tag, comm, info, request);
    if (code == MPI_SUCCESS)
        prepare(SEND, "MPI_Psend_init", CALLER, partitions * count, type, dest, tag, comm, *request);
    return code;
}

int MPI_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Info info, MPI_Request *request) {
    int code = PMPI_Precv_init(buf, partitions, count, type, source, tag, comm, info, request);
    if (code == MPI_SUCCESS)
        prepare(RECV, "MPI_Precv_init", CALLER, partitions * count, type, source, tag, comm, *request);
    return code;
}
#endif

#define COUNT int
#define NAMED(PREFIX, NAME) PREFIX##NAME
#include "calls_of_messages.h"

#if MPI_VERSION >= 4
#undef COUNT
#undef NAMED
#define COUNT MPI_Count
#define NAMED(PREFIX, NAME) PREFIX##NAME##_c
#include "calls_of_messages.h"
#endif
