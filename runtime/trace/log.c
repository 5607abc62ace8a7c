/* The begin and the end of a trace, and the lines in between. */
#define _GNU_SOURCE
#include "trace.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Guards everything below. Never held across a call that may block. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static int world_rank;
static char program[4096];
static long sequence;

static void die(const char *what) {
    fprintf(stderr, "anyrank tracer: %s\n", what);
    PMPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *allocate(size_t size) {
    void *memory = calloc(1, size ? size : 1);
    if (!memory) die("out of memory");
    return memory;
}

bool tracing(void) { return out != NULL; }

/* A wrong communicator is left to the MPI library to complain about. */
bool is_message(int peer, MPI_Comm comm) { return tracing() && peer != MPI_PROC_NULL && comm != MPI_COMM_NULL; }

long next_seq(void) {
    pthread_mutex_lock(&lock);
    long seq = sequence++;
    pthread_mutex_unlock(&lock);
    return seq;
}

/* ---- fields; the caller holds the lock ---------------------------------------------------------------------------- */

static void put_string(const char *key, const char *text) {
    fprintf(out, ",\"%s\":\"", key);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
        else if (*c < 0x20) fprintf(out, "\\u%04x", *c);
        else fputc(*c, out);
    }
    fputc('"', out);
}

static void put_number(const char *key, long long value, bool known) {
    if (known) fprintf(out, ",\"%s\":%lld", key, value);
    else fprintf(out, ",\"%s\":null", key);
}

static void put_site(const char *prefix, const void *site) {
    Dl_info info;
    struct link_map *map = NULL;
    char key[32];
    snprintf(key, sizeof key, "%smodule", prefix);
    if (dladdr1(site, &info, (void **)&map, RTLD_DL_LINKMAP) && map) {
        /* The program itself has no name there, and dli_fname is what it was started as. */
        put_string(key, *map->l_name ? info.dli_fname : program);
        fprintf(out, ",\"%saddress\":\"0x%lx\"", prefix, (unsigned long)((uintptr_t)site - map->l_addr - 1));
    } else {
        fprintf(out, ",\"%s\":null,\"%saddress\":null", key, prefix);
    }
}

static void put_begin(long seq, const char *kind, const char *op, const comm_info *comm) {
    fprintf(out, "{\"rank\":%d,\"seq\":%ld,\"kind\":\"%s\",\"op\":\"%s\"", world_rank, seq, kind, op);
    put_string("comm", comm->name);
}

static void put_type(int type_size, const char *datatype) {
    put_number("type_size", type_size, type_size >= 0);
    if (*datatype) put_string("datatype", datatype);
    else fputs(",\"datatype\":null", out);
}

static void put_end(const operation *o) {
    put_site("", o->site);
    if (o->persistent) put_site("start_", o->start_site);
    fputs("}\n", out);
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

/* The size in bytes; -1 for none. The name of a predefined datatype, else "". */
int describe_type(MPI_Datatype type, char name[MPI_MAX_OBJECT_NAME]) {
    int size = -1, length, integers, addresses, types, combiner;
    name[0] = '\0';
    if (type == MPI_DATATYPE_NULL) return -1;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) PMPI_Type_get_name(type, name, &length);
    return size;
}

operation describe(operation_kind kind, const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer,
                   int tag, MPI_Comm comm) {
    operation o = {.kind = kind, .op = op, .site = site, .count = count, .peer = peer, .tag = tag, .seq = UNNUMBERED};
    o.any_source = kind == RECV && peer == MPI_ANY_SOURCE;
    o.any_tag = kind == RECV && tag == MPI_ANY_TAG;
    o.comm = info_of(comm);
    o.type_size = describe_type(type, o.datatype);
    return o;
}

void log_send(const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    if (!is_message(peer, comm)) return;
    operation o = describe(SEND, op, site, count, type, peer, tag, comm);
    o.seq = next_seq();
    log_start(&o);
}

/* A send that starts. */
void log_start(const operation *o) {
    pthread_mutex_lock(&lock);
    put_begin(o->seq, "send", o->op, o->comm);
    int peer = world_of(o->comm, o->peer);
    put_number("peer", peer, peer >= 0);
    put_number("tag", o->tag, true);
    put_number("count", o->count, true);
    put_type(o->type_size, o->datatype);
    put_end(o);
    pthread_mutex_unlock(&lock);
}

/* A receive that completed, or with a null status one that did not. A source or tag that was asked for is the one that matched,
 * also where a library leaves the status as it was (MPICH 4.0.2 that of MPI_Isendrecv). */
void log_recv(const operation *o, MPI_Status *status) {
    MPI_Count bytes = 0;
    if (status) PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
    int peer = world_of(o->comm, status && o->any_source ? status->MPI_SOURCE : o->peer);
    pthread_mutex_lock(&lock);
    put_begin(o->seq, status ? "recv" : "pending", o->op, o->comm);
    put_number("peer", peer, peer >= 0);
    put_number("tag", o->any_tag && status ? status->MPI_TAG : o->tag, status || !o->any_tag);
    put_number("count", o->type_size > 0 ? (long long)bytes / o->type_size : 0, status);
    put_type(o->type_size, o->datatype);
    put_number("posted_count", o->count, true);
    fprintf(out, ",\"any_source\":%s,\"any_tag\":%s", o->any_source ? "true" : "false", o->any_tag ? "true" : "false");
    put_end(o);
    pthread_mutex_unlock(&lock);
}

/* A message that an operation among neighbours receives. */
void log_arrival(const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    if (!is_message(peer, comm)) return;
    operation o = describe(RECV, op, site, count, type, peer, tag, comm);
    MPI_Status status;
    o.seq = next_seq();
    PMPI_Status_set_elements_x(&status, MPI_BYTE, o.type_size > 0 ? count * o.type_size : 0);
    log_recv(&o, &status);
}

operation describe_collective(const char *op, const void *site, MPI_Comm comm, int root, MPI_Count count,
                              MPI_Datatype type) {
    operation o = {.kind = COLLECTIVE, .op = op, .site = site, .root = root, .seq = UNNUMBERED, .prepared = UNNUMBERED};
    int inter;
    o.comm = info_of(comm);
    PMPI_Comm_test_inter(comm, &inter);
    /* Of an intercommunicator: which of its arguments count depends on the side; those that do not may hold anything. */
    o.count = inter ? NO_COUNT : count;
    o.type_size = describe_type(inter ? MPI_DATATYPE_NULL : type, o.datatype);
    return o;
}

/* One that starts. */
void log_collective_start(const operation *o) {
    /* Of an intercommunicator the root is in the remote group, or MPI_ROOT or MPI_PROC_NULL. */
    int root = o->root == NO_ROOT ? -1 : world_of(o->comm, o->root);
    pthread_mutex_lock(&lock);
    put_begin(o->seq, "collective", o->op, o->comm);
    if (o->persistent) put_number("prepared", o->prepared, true);
    put_number("root", root, root >= 0);
    put_number("count", o->count, o->count != NO_COUNT);
    put_type(o->type_size, o->datatype);
    put_end(o);
    pthread_mutex_unlock(&lock);
}

void log_collective(const char *op, const void *site, MPI_Comm comm, int root, MPI_Count count, MPI_Datatype type) {
    if (!tracing() || comm == MPI_COMM_NULL) return;
    operation o = describe_collective(op, site, comm, root, count, type);
    o.seq = next_seq();
    log_collective_start(&o);
}

/* The process came to MPI_Finalize. */
static void log_end(const void *site) {
    operation o = {.seq = next_seq(), .op = "MPI_Finalize", .site = site, .comm = info_of(MPI_COMM_WORLD)};
    pthread_mutex_lock(&lock);
    put_begin(o.seq, "end", o.op, o.comm);
    put_end(&o);
    pthread_mutex_unlock(&lock);
}

/* ---- begin and end ------------------------------------------------------------------------------------------------ */

static void open_trace(void) {
    const char *prefix = getenv("ANYRANK_TRACE");
    MPI_Group world;
    if (!prefix || !*prefix) return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    name_world(world);
    size_t size = strlen(prefix) + 32;
    char *path = allocate(size);
    snprintf(path, size, "%s.%d.jsonl", prefix, world_rank);
    FILE *file = fopen(path, "we");
    if (!file) die("cannot write the file that ANYRANK_TRACE names");
    free(path);
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    /* By the line: a program that is killed leaves whole lines. */
    setvbuf(file, NULL, _IOLBF, 1 << 16);
    out = file;
}

int MPI_Init(int *argc, char ***argv) {
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) open_trace();
    return code;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) open_trace();
    return code;
}

int MPI_Finalize(void) {
    if (tracing()) {
        log_unfinished();
        log_end(CALLER);
        pthread_mutex_lock(&lock);
        fclose(out);
        out = NULL;
        pthread_mutex_unlock(&lock);
    }
    return PMPI_Finalize();
}
