/* AutoLink: sends and receives linked structures (lists, trees, graphs) over MPI.
 *
 * After Goujon, Michel, Peeters, Devaney, "AutoMap & AutoLink: Tools for Communicating Complex & Dynamic
 * Data-Structures using MPI" (CANPC'98). Plain C11 and MPI-3.1. Build it with the program:
 *
 *     mpicc program.c al_routines.c mpitypes.c autolink/[a-z]*.c -I autolink
 *
 * `anyrank types --autolink FILE.h` writes al_routines.h and al_routines.c, which describe the structs of FILE.h in the
 * tables below; AutoLink_NAME is the description of struct NAME. A program then says
 *
 *     AL_Init(NULL);
 *     if (rank == 0) AL_Send(root, AutoLink_Node, 1, tag, MPI_COMM_WORLD);
 *     else           AL_Recv(&root, AutoLink_Node, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   // struct Node *root;
 *     AL_Finalize();
 *
 * What is transferred is everything that can be reached from the root: shared nodes stay shared, cycles stay cycles,
 * NULL stays NULL. Every node, array and string that a receiver gets is a block of malloc by itself; free() each of
 * them, or AL_Free all. The order of traversal is breadth-first, without recursion, and packets are sent while the
 * traversal goes on. A call that fails says so and leaves nothing behind: never a part of a structure.
 *
 * All functions return AL_SUCCESS or an error class; AL_Error_message() has the details. One thread at a time may be
 * in the library (MPI_THREAD_SERIALIZED). A structure must not change while it is being sent.
 */
#ifndef AUTOLINK_H
#define AUTOLINK_H

#include <limits.h>
#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Descriptions of types: what al_routines.c contains ---- */

/* Bytes of plain data within one element: no pointer and no padding. */
typedef struct {
    size_t offset;
    size_t length;
} AL_Run;

typedef enum {
    AL_LINK_ONE,     /* to one element, or NULL */
    AL_LINK_COUNTED, /* to an array whose length is in an integer field of the same struct */
    AL_LINK_STRING,  /* char *, to characters that end with '\0' */
    AL_LINK_OPAQUE   /* is not followed; NULL at the receiver */
} AL_LinkKind;

/* One pointer field, or an array of pointers within the struct. */
typedef struct {
    const char *name; /* of the field, for messages */
    AL_LinkKind kind;
    size_t offset;      /* of the (first) pointer in the struct, in bytes */
    size_t repeat;      /* how many pointers lie side by side there: 1, or the length of an array of pointers */
    int target;         /* label of the type that is pointed to; ignored for strings and opaque pointers */
    size_t count_offset; /* AL_LINK_COUNTED: where the number of elements is, ... */
    size_t count_size;   /* ... its size in bytes (1, 2, 4 or 8), ... */
    int count_signed;    /* ... and whether it is a signed integer */
} AL_Link;

struct AL_Schema;

/* A type that links point to, or that is transferred itself: a struct, a basic type ("double") or a pointer type
 * ("Node *", size sizeof(void *), no runs, one link at offset 0). */
typedef struct {
    const struct AL_Schema *schema; /* the table that this type is in: its label is its index there */
    const char *name;               /* as users write it, for messages */
    size_t size;                    /* sizeof */
    size_t run_count;
    const AL_Run *runs; /* in any order, without overlap */
    size_t link_count;
    const AL_Link *links;
} AL_Type;

/* All types that may be reached from each other. */
typedef struct AL_Schema {
    int version; /* AL_SCHEMA_VERSION */
    int type_count;
    const AL_Type *types;
} AL_Schema;

#define AL_SCHEMA_VERSION 1

/* Entries for the tables above, checked by the compiler: TYPE is a struct or union type, FIELD a member designator
 * ("next", "inner.next"), LABEL the label of the type pointed to. FIELD may be an array of pointers. */
#define AL_DATA(TYPE, FIELD) { offsetof(TYPE, FIELD), sizeof(((TYPE *)0)->FIELD) }
#define AL_ONE(TYPE, FIELD, LABEL) \
    { #FIELD, AL_LINK_ONE, offsetof(TYPE, FIELD), AL_POINTERS(TYPE, FIELD), LABEL, 0, 0, 0 }
#define AL_COUNTED(TYPE, FIELD, LABEL, COUNT) \
    { #FIELD, AL_LINK_COUNTED, offsetof(TYPE, FIELD), AL_POINTERS(TYPE, FIELD), LABEL, \
      offsetof(TYPE, COUNT), sizeof(((TYPE *)0)->COUNT), AL_IS_SIGNED(((TYPE *)0)->COUNT) }
#define AL_STRING(TYPE, FIELD) \
    { #FIELD, AL_LINK_STRING, offsetof(TYPE, FIELD), AL_POINTERS(TYPE, FIELD), 0, 0, 0, 0 }
#define AL_OPAQUE(TYPE, FIELD) \
    { #FIELD, AL_LINK_OPAQUE, offsetof(TYPE, FIELD), AL_POINTERS(TYPE, FIELD), 0, 0, 0, 0 }

#define AL_POINTERS(TYPE, FIELD) (sizeof(((TYPE *)0)->FIELD) / sizeof(void *))
#define AL_IS_SIGNED(X) \
    _Generic((X), signed char: 1, short: 1, int: 1, long: 1, long long: 1, char: CHAR_MIN < 0, default: 0)

/* ---- Error classes ---- */

enum {
    AL_SUCCESS = 0,
    AL_ERR_ARG,      /* an argument that makes no sense */
    AL_ERR_INIT,     /* AL_Init was not called, or was called twice */
    AL_ERR_SCHEMA,   /* the tables contradict themselves */
    AL_ERR_MEMORY,   /* an allocation failed */
    AL_ERR_INTERIOR, /* a pointer into the middle of a node, or blocks that overlap */
    AL_ERR_COUNT,    /* a negative count, or one that no memory can hold */
    AL_ERR_LIMIT,    /* more than 2^30 - 1 blocks, or 2^32 - 2 strings */
    AL_ERR_TYPE,     /* the structure received is of another type than asked for */
    AL_ERR_LAYOUT,   /* the sender was built for another ABI, another byte order or other structs */
    AL_ERR_STREAM,   /* what arrived is not what AutoLink sends */
    AL_ERR_REMOTE,   /* the sender gave up, for reasons that AL_Error_message() has */
    AL_ERR_PENDING,  /* AL_Finalize while requests are under way */
    AL_ERR_MPI       /* a call of MPI failed */
};

/* What an error class means. Never NULL. */
const char *AL_Error_string(int error_class);

/* Details of the last error of this thread: which node, which field. "" if there was none. Valid until the next call. */
const char *AL_Error_message(void);

/* ---- Beginning and end ---- */

typedef struct {
    /* Size of a packet; 0: 8 KiB. Between 4 KiB and 1 GiB. The smallest of all processes is used. A transfer under way
     * has up to four packets in memory. Packets that MPI sends at once, without asking the receiver, are the fastest. */
    size_t packet_bytes;
    /* How many blocks a structure is expected to have; 0: unknown. The table that remembers which nodes were visited
     * begins with room for them instead of growing to it. */
    size_t expected_nodes;
} AL_Options;

/* Collective over MPI_COMM_WORLD. Calls MPI_Init if nobody has. `options` may be NULL, and may differ between ranks. */
int AL_Init(const AL_Options *options);

/* Collective. Calls MPI_Finalize if AL_Init called MPI_Init. Fails with AL_ERR_PENDING, and does nothing, while requests
 * are under way. */
int AL_Finalize(void);

/* ---- Transfers ---- */

/* Sends all that is reachable from `root` (NULL: the empty structure), which is an element of `type`. Like MPI_Send it
 * may wait for the receiver. The first packet has the tag and communicator given, later ones travel on a communicator of
 * the library's own; so transfers are matched, and never overtake each other, as messages of MPI do. `comm` may be any
 * communicator whose processes are in MPI_COMM_WORLD. `dest` may be MPI_PROC_NULL. */
int AL_Send(const void *root, const AL_Type *type, int dest, int tag, MPI_Comm comm);

/* Receives a structure. `root` is the address of a pointer to an element of `type`: struct Node *n; AL_Recv(&n, ...).
 * On failure the pointer is NULL and all that was allocated is freed. MPI_ANY_SOURCE and MPI_ANY_TAG are allowed;
 * `status` (or MPI_STATUS_IGNORE) has the source and tag. From MPI_PROC_NULL comes the empty structure. */
int AL_Recv(void *root, const AL_Type *type, int source, int tag, MPI_Comm comm, MPI_Status *status);

/* Collective over `comm`, an intracommunicator: *root of process `root_rank` is copied to all others. If the root fails,
 * all fail; if another one fails, that one only. */
int AL_Bcast(void *root, const AL_Type *type, int root_rank, MPI_Comm comm);

/* A transfer under way. */
typedef struct AL_Transfer *AL_Request;
#define AL_REQUEST_NULL ((AL_Request)0)

/* Begin a transfer. On success *request is to be given to AL_Wait, or to AL_Test until it says that the transfer is
 * complete. The structure to be sent must stay as it is until then; the pointer of a receive is set by then. Every call
 * of the library gets on with all transfers under way, as far as they can without waiting. */
int AL_Isend(const void *root, const AL_Type *type, int dest, int tag, MPI_Comm comm, AL_Request *request);
int AL_Irecv(void *root, const AL_Type *type, int source, int tag, MPI_Comm comm, AL_Request *request);

/* Waits until the transfer is complete, and sets *request to AL_REQUEST_NULL. The result is that of the transfer.
 * AL_REQUEST_NULL is complete at once. */
int AL_Wait(AL_Request *request, MPI_Status *status);

/* Sets *complete to 1 if the transfer is complete, and then does what AL_Wait does; otherwise to 0. */
int AL_Test(AL_Request *request, int *complete, MPI_Status *status);

/* ---- Within one process: neither AL_Init nor MPI is needed ---- */

/* Frees every block that is reachable from `root`: nodes, arrays, strings, but nothing that is behind opaque pointers. All
 * of them must have come from malloc, as those of AL_Recv, AL_Bcast and AL_Copy do. On failure nothing is freed. */
int AL_Free(void *root, const AL_Type *type);

/* Makes *copy (the address of a pointer, as for AL_Recv) a deep copy of the structure: what AL_Recv would give for it. */
int AL_Copy(const void *root, void *copy, const AL_Type *type);

#ifdef __cplusplus
}
#endif

#endif
