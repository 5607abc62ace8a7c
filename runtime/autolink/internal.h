/* What the files of AutoLink share. Not for users: names begin with al_, and may change.
 *
 *     plan.c      the tables of a program, checked and brought into the form that the loops below want
 *     store.c     vectors and queues in chunks, numbers of elements of arrays
 *     marks.c     which blocks of memory were visited
 *     strings.c   which strings were visited
 *     encode.c    from a structure to packets
 *     decode.c    from packets to a structure
 *     local.c     AL_Copy and AL_Free
 *     start.c     AL_Init and AL_Finalize
 *     transfer.c  AL_Send, AL_Recv and the requests
 *     send.c, receive.c   one step of a transfer
 *     bcast.c     AL_Bcast
 *     error.c     classes and messages
 *
 * The stream. The first packet begins with an al_head and has AL_FIRST_BYTES at most; the others begin with an al_lead and
 * have as many bytes as AL_Init agreed on. What follows, packet by packet, is
 *
 *     the code of the root
 *     for each block in the order in which it was discovered, for each of its elements:
 *         the runs of plain data
 *         for each pointer its code, and after that
 *             of a new string its length (8 bytes) and its characters without '\0'
 *             of a new block of elements that are one run without padding: these bytes
 *
 * A code has 4 bytes: 0 is NULL, n + 1 is label n of the type that the field points to; it is new if no code of the type
 * was as high. So both sides keep the same queue of blocks to come, and no types nor lengths of blocks are sent.
 * A code, with the length of a string, is never divided between packets; everything else is.
 */
#ifndef AL_INTERNAL_H
#define AL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "autolink.h"

#ifdef AL_TEST_ALLOCATOR
/* The tests count allocations, and let them fail. */
void *al_test_malloc(size_t size);
void al_test_free(void *block);
#define AL_MALLOC al_test_malloc
#define AL_FREE al_test_free
#else
#define AL_MALLOC malloc
#define AL_FREE free
#endif

/* Where gcc and clang can be told. */
#ifdef __GNUC__
#define AL_LIKELY(X) __builtin_expect(!!(X), 1)
#define AL_PREFETCH(P) __builtin_prefetch(P)
#define AL_COLD __attribute__((cold, noinline))
#define AL_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define AL_LIKELY(X) (X)
#define AL_PREFETCH(P) ((void)(P))
#define AL_COLD
#define AL_PRINTF
#endif

/* ---- error.c ---- */

/* Keeps the message for AL_Error_message and returns the class. */
AL_COLD AL_PRINTF int al_fail(int error_class, const char *format, ...);

/* The same for a message that was kept elsewhere meanwhile. */
AL_COLD int al_fail_again(int error_class, const char *message);

AL_COLD int al_no_memory(size_t bytes);

/* AL_SUCCESS, or AL_ERR_MPI with the name of the call. */
AL_COLD int al_mpi_failed(int code, const char *call);
#define AL_MPI(CALL, NAME) \
    do { \
        int al_code = (CALL); \
        if (al_code != MPI_SUCCESS) return al_mpi_failed(al_code, NAME); \
    } while (0)

/* As long as a message may be, with its '\0'. */
#define AL_MESSAGE_BYTES 320

/* ---- plan.c ---- */

/* A pointer that is followed. */
typedef struct {
    size_t offset;
    const char *name;
    uint32_t target; /* strings have a label of their own: the number of types */
    AL_LinkKind kind;
    uint8_t count_size;
    bool count_signed;
    size_t count_offset;
} al_link;

typedef struct {
    const char *name;
    size_t size;
    size_t run_bytes; /* of all runs together */
    size_t run_count;
    AL_Run *runs; /* ascending, merged where they touch */
    size_t link_count;
    al_link *links;
    size_t opaque_count;
    size_t *opaque; /* offsets of pointers that become NULL */
    bool dense;     /* one run is all there is: an array of these is copied at once */
} al_type;

typedef struct {
    uint32_t type_count;
    uint64_t fingerprint; /* equal for equal layouts */
    al_type *types;
} al_plan;

/* Makes the plan of a schema; al_plan_free frees it. */
int al_plan_make(const AL_Schema *schema, al_plan **plan);
void al_plan_free(al_plan *plan);

/* The label of a type in its schema; the schema may be anything. */
int al_label(const AL_Type *type, uint32_t *label);

/* The number of elements behind a counted link of the element at `base`. */
int al_count(const al_link *link, const al_type *owner, const char *base, size_t element_size, uint64_t *count);

/* ---- store.c ---- */

#define AL_CHUNK_SHIFT 10
#define AL_CHUNK ((size_t)1 << AL_CHUNK_SHIFT)

/* Items of one size that do not move, in chunks. Zero bytes but `item` are an empty one. */
typedef struct {
    size_t item;
    size_t count;
    char **chunks;
    size_t room; /* of `chunks` */
} al_vector;

/* Room for one more item at the end, or NULL. */
void *al_vector_grow(al_vector *vector);
void al_vector_free(al_vector *vector);

static inline void *al_vector_at(const al_vector *vector, size_t index) {
    return vector->chunks[index >> AL_CHUNK_SHIFT] + (index & (AL_CHUNK - 1)) * vector->item;
}

static inline void *al_vector_push(al_vector *vector) {
    if (AL_LIKELY((vector->count & (AL_CHUNK - 1)) != 0)) return al_vector_at(vector, vector->count++);
    return al_vector_grow(vector);
}

/* Elements side by side that are to be sent, or that are still to come. */
typedef struct {
    char *address;
    uint64_t count;
    uint32_t type;
} al_block;

typedef struct al_queue_chunk {
    struct al_queue_chunk *next;
    al_block blocks[AL_CHUNK];
} al_queue_chunk;

/* First in, first out; what was taken out occupies no memory but a spare chunk. Zero bytes are an empty one. */
typedef struct {
    al_queue_chunk *head, *tail, *spare;
    size_t first, end; /* in head, in tail */
} al_queue;

bool al_queue_grow(al_queue *queue);
void al_queue_drop(al_queue *queue);
void al_queue_free(al_queue *queue);

static inline bool al_queue_push(al_queue *queue, al_block block) {
    if (!AL_LIKELY(queue->tail && queue->end < AL_CHUNK) && !al_queue_grow(queue)) return false;
    queue->tail->blocks[queue->end++] = block;
    return true;
}

static inline bool al_queue_empty(const al_queue *queue) {
    return queue->head == queue->tail && queue->first == queue->end;
}

/* What will be popped after so many others, or NULL where that is not known without a search. */
static inline const al_block *al_queue_peek(const al_queue *queue, size_t after) {
    size_t end = queue->head == queue->tail ? queue->end : AL_CHUNK;
    return queue->head && queue->first + after < end ? &queue->head->blocks[queue->first + after] : NULL;
}

/* Of a queue that is not empty. */
static inline al_block al_queue_pop(al_queue *queue) {
    al_block block = queue->head->blocks[queue->first++];
    if (!AL_LIKELY(queue->first < AL_CHUNK)) al_queue_drop(queue);
    return block;
}

/* How many elements the blocks of one type have, where it is not one. */
typedef struct {
    uint32_t label;
    uint64_t count;
} al_length;

bool al_length_add(al_vector *lengths, uint32_t label, uint64_t count);
uint64_t al_length_of(const al_vector *lengths, uint32_t label);

/* ---- marks.c ---- */

/* Which bytes of memory belong to which block. Blocks have serial numbers. */
typedef struct {
    struct al_page *pages; /* open addressing, a power of two */
    size_t page_room, page_count;
    struct al_page *last;  /* that was looked up */
    al_vector intervals;   /* chains of intervals, where memory is sparse or not aligned */
} al_marks;

typedef enum { AL_MARK_NEW, AL_MARK_SEEN, AL_MARK_OVERLAP, AL_MARK_NO_MEMORY } al_mark_result;

/* Serial numbers are below this. */
#define AL_SERIALS (UINT32_C(1) << 31)

bool al_marks_init(al_marks *marks, size_t expected_blocks);
void al_marks_free(al_marks *marks);

/* Looks for the block that begins at `start`: AL_MARK_SEEN, with its number in *serial. If there is none, the bytes from
 * `start` to `end` (not empty) become block *serial, unless some belong to another block. After the last two results
 * the marks are of no more use than to be freed. */
al_mark_result al_marks_visit(al_marks *marks, uintptr_t start, uintptr_t end, uint32_t *serial);

/* A visit of that address is to come: brings into the cache what it will read. */
void al_marks_prefetch(const al_marks *marks, uintptr_t address);

/* Whether the byte belongs to a block. */
bool al_marks_cover(al_marks *marks, uintptr_t address);

/* ---- strings.c ---- */

typedef struct {
    uintptr_t address; /* 0: free */
    uint32_t label;
} al_string;

/* Zero bytes are an empty one. */
typedef struct {
    al_string *entries; /* open addressing, a power of two */
    size_t room, count;
} al_strings;

/* The entry of a string; with address 0 if it is new: the caller fills it in and counts it. NULL: no memory. */
al_string *al_strings_find(al_strings *strings, uintptr_t address);
void al_strings_free(al_strings *strings);

/* ---- encode.c and decode.c ---- */

/* Where in the current block a packet ended. */
typedef struct {
    al_block block;
    uint64_t element;
    size_t run, run_done; /* runs before, and bytes of this one */
    size_t link;          /* links before; meaningful after the last run */
    size_t bulk_left;     /* bytes that follow the code before */
    char *bulk;
    bool active;          /* there is a current block */
    bool begun;           /* the root's code is through */
} al_position;

typedef struct {
    const al_plan *plan;
    const char *root;
    uint32_t root_type;
    al_marks marks;
    al_strings strings;
    uint32_t blocks; /* how many were met: the next serial number */
    al_vector seen;  /* of each block its label and type, by serial number; not kept where there is one type */
    al_queue queue;
    al_vector *lengths;    /* per type */
    uint32_t *next_label;  /* per type, and of strings */
    al_position at;
    al_vector *addresses;  /* NULL, or where to put the address of each block and string: then their bytes are not copied */
    bool finished;
} al_encoder;

int al_encoder_init(al_encoder *encoder, const al_plan *plan, const void *root, uint32_t root_type, size_t expected);
void al_encoder_free(al_encoder *encoder);

/* Fills a packet (of 64 bytes at least) as far as it goes, and tells how much was used. When all is encoded,
 * encoder->finished is set. After a failure the encoder is of no more use than to be freed. */
int al_encode(al_encoder *encoder, char *packet, size_t capacity, size_t *used);

typedef struct {
    const al_plan *plan;
    uint32_t root_type;
    char *root;
    al_vector *addresses; /* per type, and of strings: by label */
    al_vector *lengths;   /* per type */
    al_queue queue;
    al_position at;
    bool finished;
} al_decoder;

int al_decoder_init(al_decoder *decoder, const al_plan *plan, uint32_t root_type);

/* Frees the decoder's own memory; with `blocks` also everything that it made. */
void al_decoder_free(al_decoder *decoder, bool blocks);

/* Reads a packet. When the structure is complete, decoder->finished is set. */
int al_decode(al_decoder *decoder, const char *packet, size_t length);

/* ---- packets ---- */

#define AL_FIRST_BYTES 4096
#define AL_LAST UINT32_C(1)   /* no packet follows */
#define AL_ABORT UINT32_C(2)  /* likewise, and what follows is a message */

/* Begins every packet but the first. */
typedef struct {
    uint32_t flags;
    uint32_t length; /* of what follows */
} al_lead;

/* Begins the first packet. */
typedef struct {
    char magic[4];
    uint32_t order; /* AL_ORDER as the sender stores it */
    uint64_t fingerprint;
    uint32_t type;
    int32_t tag; /* of the other packets */
    al_lead lead;
} al_head;

#define AL_MAGIC "AL1"
#define AL_ORDER UINT32_C(0x01020304)

#endif
