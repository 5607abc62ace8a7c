/* PMPI tracer: logs what an MPI program communicates, one JSON object per line and one file per rank.
 *
 *   make tracer
 *   ANYRANK_TRACE=/tmp/run mpiexec -n 4 env LD_PRELOAD=build/trace/mpich/libanyrank_trace.so ./program
 *
 * writes /tmp/run.0.jsonl to /tmp/run.3.jsonl. Without ANYRANK_TRACE nothing is logged. Plain C11 and MPI-3.1; built
 * once for each MPI, as their ABIs differ. Safe under MPI_THREAD_MULTIPLE.
 *
 * Every line has
 *   rank      this process, in MPI_COMM_WORLD
 *   seq       counts operations of this process in the order in which they started
 *   kind      "send", "recv", "pending", "collective" or, at MPI_Finalize, "end"
 *   op        the MPI function that described the operation ("MPI_Irecv", "MPI_Send_init", ...)
 *   comm      "MPI_COMM_WORLD", "MPI_COMM_SELF" or a name on which all members agree: the parent's name, the number of
 *             the creation among the parent's, and the first member's rank in MPI_COMM_WORLD
 *   module, address   where the call returns to, less one, relative to the module: what addr2line wants
 * all but "end"
 *   count, type_size (bytes), datatype (null unless predefined)
 * and messages also peer (rank in MPI_COMM_WORLD) and tag, collectives root (likewise; null when there is none), and
 * persistent ones prepared, their place among the persistent collectives that were described on their communicator.
 *
 * A send is logged when it starts, so that one that never completes is there. A receive is logged when it completes,
 * with the source and tag that matched, the count that arrived, and what was asked for (posted_count, any_source,
 * any_tag); seq, op and address are those of the call that posted it. One that never completed is logged by MPI_Finalize
 * as "pending". A persistent operation is logged at each start, with the address of its _init call and, as start_module
 * and start_address, that of MPI_Start. Messages from or to MPI_PROC_NULL and probes are no messages and are not logged.
 *
 * A collective operation among neighbours is logged as such when it starts, and after it a message with tag 0 to or from
 * each of them.
 *
 * Limits: point-to-point and collectives of MPI-3.1, and of MPI-4 where the library has it; of windows the calls that all
 * their processes make, no one-sided operations; no I/O. What a
 * library calls under its PMPI_ name is invisible. A frame that the compiler optimised away (a tail call) shows its
 * caller: compile with -g -fno-optimize-sibling-calls.
 */
#ifndef ANYRANK_TRACE_H
#define ANYRANK_TRACE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* Only the MPI functions leave the library. */
#pragma GCC visibility push(hidden)

/* The caller of the wrapper it is used in. */
#define CALLER __builtin_return_address(0)

/* The spelling of what X expands to. */
#define TEXT(X) TEXT_(X)
#define TEXT_(X) #X

/* A parenthesised list without its parentheses. */
#define UNWRAP(...) __VA_ARGS__

/* What is known about a communicator; hangs on it as an attribute, and stays when the communicator is freed, because
 * active requests may still point to it. */
typedef struct {
    const char *name;
    int children; /* communicators created from it so far; equal on all members */
    int prepared; /* persistent collectives described on it so far; likewise */
    int size;     /* of the group that messages go to: the remote one of an intercommunicator */
    int world[];  /* their ranks in MPI_COMM_WORLD */
} comm_info;

typedef enum { SEND, RECV, COLLECTIVE, DUPLICATION } operation_kind;

enum { UNNUMBERED = -1, NO_ROOT = -1000, NO_COUNT = -1 };

/* A message operation, a collective one, or the duplication of a communicator. */
typedef struct {
    operation_kind kind;
    bool persistent, active, any_source, any_tag;
    const char *op;
    const void *site, *start_site;
    const comm_info *comm;
    MPI_Count count;
    int peer, tag, type_size; /* peer: in the communicator */
    char datatype[MPI_MAX_OBJECT_NAME];
    long seq;
    int root, prepared; /* COLLECTIVE: in the communicator or NO_ROOT; of a persistent one its place among them */
    MPI_Comm *duplicate; /* DUPLICATION: where the new communicator will be, */
    const char *name;    /* and its name */
} operation;

/* log.c */
bool tracing(void);
bool is_message(int peer, MPI_Comm comm);
void *allocate(size_t size);
long next_seq(void);
operation describe(operation_kind kind, const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer,
                   int tag, MPI_Comm comm);
int describe_type(MPI_Datatype type, char name[MPI_MAX_OBJECT_NAME]);
void log_send(const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
void log_arrival(const char *op, const void *site, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm);
void log_start(const operation *o);
void log_recv(const operation *o, MPI_Status *status);
operation describe_collective(const char *op, const void *site, MPI_Comm comm, int root, MPI_Count count,
                              MPI_Datatype type);
void log_collective_start(const operation *o);
void log_collective(const char *op, const void *site, MPI_Comm comm, int root, MPI_Count count, MPI_Datatype type);

/* communicators.c */
void name_world(MPI_Group world);
comm_info *info_of(MPI_Comm comm);
int world_of(const comm_info *comm, int rank);
int next_prepared(MPI_Comm comm);
comm_info *attach(MPI_Comm comm, const char *name);
comm_info *name_child(MPI_Comm parent, MPI_Group group);

/* requests.c */
void remember(operation o, MPI_Request request);
void complete(MPI_Request request, MPI_Status *status);
void log_unfinished(void);

#pragma GCC visibility pop

#endif
