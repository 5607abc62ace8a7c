/* Requests whose start, completion or both must be seen: receives, persistent operations, duplications; and the calls
 * that start and complete them. Nonblocking sends are logged where they are called and need no record. */
#include "trace.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
    MPI_Request request;
    operation operation;
    struct record *next;
} record;

enum { BUCKETS = 1024 };

/* Guards the table. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static record *table[BUCKETS];

/* The place of the request's record, which is null if there is none. The caller holds the lock. */
static record **find(MPI_Request request) {
    uintptr_t key = (uintptr_t)request;
    record **place = &table[(key ^ key >> 7 ^ key >> 16) % BUCKETS];
    while (*place && (*place)->request != request) place = &(*place)->next;
    return place;
}

/* An active operation that has no number yet starts now. */
void remember(operation o, MPI_Request request) {
    record *r = allocate(sizeof *r);
    if (o.active && o.seq == UNNUMBERED) o.seq = next_seq();
    r->request = request;
    r->operation = o;
    pthread_mutex_lock(&lock);
    record **place = find(request);
    r->next = *place;
    *place = r;
    pthread_mutex_unlock(&lock);
}

/* The request of a persistent operation was started. */
static void start(MPI_Request request, const void *site) {
    if (!tracing()) return;
    operation started = {.active = false};
    pthread_mutex_lock(&lock);
    record *r = *find(request);
    if (r && r->operation.persistent) {
        r->operation.active = true;
        r->operation.seq = next_seq();
        r->operation.start_site = site;
        started = r->operation;
    }
    pthread_mutex_unlock(&lock);
    if (started.active && started.kind == SEND) log_start(&started);
    if (started.active && started.kind == COLLECTIVE) log_collective_start(&started);
}

/* `request` is the handle before the call that completed it. */
void complete(MPI_Request request, MPI_Status *status) {
    if (!tracing() || request == MPI_REQUEST_NULL) return;
    operation done = {.active = false};
    int cancelled = 0;
    pthread_mutex_lock(&lock);
    record **place = find(request), *r = *place;
    if (r && r->operation.active) {
        done = r->operation;
        r->operation.active = false;
        if (!done.persistent) {
            *place = r->next;
            free(r);
        }
    }
    pthread_mutex_unlock(&lock);
    if (!done.active) return;
    PMPI_Test_cancelled(status, &cancelled);
    if (done.kind == RECV && !cancelled) log_recv(&done, status);
    if (done.kind == DUPLICATION) attach(*done.duplicate, done.name);
}

void log_unfinished(void) {
    for (int i = 0; i < BUCKETS; i++)
        for (const record *r = table[i]; r; r = r->next)
            if (r->operation.kind == RECV && r->operation.active) log_recv(&r->operation, NULL);
}

/* Before a completion call frees the handles. */
static MPI_Request *copy_requests(int count, const MPI_Request *list) {
    size_t size = count > 0 ? (size_t)count * sizeof *list : 0;
    MPI_Request *copy = allocate(size);
    if (size) memcpy(copy, list, size);
    return copy;
}

static MPI_Status *allocate_statuses(int count) { return allocate(count > 0 ? (size_t)count * sizeof(MPI_Status) : 0); }

/* Those of `count` operations that succeeded. */
static void complete_all(int code, int count, const MPI_Request *before, MPI_Status *statuses) {
    for (int i = 0; i < count; i++)
        if (code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && statuses[i].MPI_ERROR == MPI_SUCCESS))
            complete(before[i], &statuses[i]);
}

int MPI_Start(MPI_Request *request) {
    start(*request, CALLER);
    return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request list[]) {
    for (int i = 0; i < count; i++) start(list[i], CALLER);
    return PMPI_Startall(count, list);
}

int MPI_Request_free(MPI_Request *request) {
    if (tracing()) {
        pthread_mutex_lock(&lock);
        record **place = find(*request), *r = *place;
        if (r) *place = r->next;
        pthread_mutex_unlock(&lock);
        /* Nobody will ever see this receive complete. */
        if (r && r->operation.kind == RECV && r->operation.active) log_recv(&r->operation, NULL);
        free(r);
    }
    return PMPI_Request_free(request);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    MPI_Status own;
    MPI_Request before = *request;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Wait(request, status);
    if (code == MPI_SUCCESS) complete(before, status);
    return code;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
    MPI_Status own;
    MPI_Request before = *request;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Test(request, flag, status);
    if (code == MPI_SUCCESS && *flag) complete(before, status);
    return code;
}

int MPI_Waitall(int count, MPI_Request list[], MPI_Status statuses[]) {
    MPI_Request *before = copy_requests(count, list);
    MPI_Status *own = statuses == MPI_STATUSES_IGNORE ? allocate_statuses(count) : NULL;
    MPI_Status *used = own ? own : statuses;
    int code = PMPI_Waitall(count, list, used);
    complete_all(code, count, before, used);
    free(own);
    free(before);
    return code;
}

int MPI_Testall(int count, MPI_Request list[], int *flag, MPI_Status statuses[]) {
    MPI_Request *before = copy_requests(count, list);
    MPI_Status *own = statuses == MPI_STATUSES_IGNORE ? allocate_statuses(count) : NULL;
    MPI_Status *used = own ? own : statuses;
    int code = PMPI_Testall(count, list, flag, used);
    if (*flag) complete_all(code, count, before, used);
    free(own);
    free(before);
    return code;
}

int MPI_Waitany(int count, MPI_Request list[], int *index, MPI_Status *status) {
    MPI_Status own;
    MPI_Request *before = copy_requests(count, list);
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Waitany(count, list, index, status);
    if (code == MPI_SUCCESS && *index != MPI_UNDEFINED) complete(before[*index], status);
    free(before);
    return code;
}

int MPI_Testany(int count, MPI_Request list[], int *index, int *flag, MPI_Status *status) {
    MPI_Status own;
    MPI_Request *before = copy_requests(count, list);
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = PMPI_Testany(count, list, index, flag, status);
    if (code == MPI_SUCCESS && *flag && *index != MPI_UNDEFINED) complete(before[*index], status);
    free(before);
    return code;
}

#define SOME(NAME)                                                                                                     \
    int MPI_##NAME(int count, MPI_Request list[], int *done, int indices[], MPI_Status statuses[]) {                   \
        MPI_Request *before = copy_requests(count, list);                                                              \
        MPI_Status *own = statuses == MPI_STATUSES_IGNORE ? allocate_statuses(count) : NULL;                           \
        MPI_Status *used = own ? own : statuses;                                                                       \
        int code = PMPI_##NAME(count, list, done, indices, used);                                                      \
        if ((code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS) && *done != MPI_UNDEFINED)                              \
            for (int i = 0; i < *done; i++) complete_all(code, 1, &before[indices[i]], &used[i]);                      \
        free(own);                                                                                                     \
        free(before);                                                                                                  \
        return code;                                                                                                   \
    }
SOME(Waitsome)
SOME(Testsome)
