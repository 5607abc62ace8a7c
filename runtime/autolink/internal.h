/* What the files of AutoLink share. Not for users: names begin with al_, and may change.
 *
 *     plan.c      the tables of a program, checked and brought into the form that the loops below want
 *     store.c     vectors and queues in chunks, numbers of elements of arrays
 *     marks.h, marks.c    which blocks of memory were visited
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
#include <string.h>

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
#define AL_NOINLINE __attribute__((noinline))
#define AL_INLINE static inline __attribute__((always_inline))
#define AL_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define AL_LIKELY(X) (X)
#define AL_PREFETCH(P) ((void)(P))
#define AL_COLD
#define AL_NOINLINE
#define AL_INLINE static inline
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

/* Blocks of whole granules are marked faster. */
#define AL_GRANULE ((uintptr_t)8)

/* The granules of al_marks that a block has; it has a byte at least. */
typedef struct {
    uint64_t bits;  /* one for each */
    int last_shift; /* by which these can be shifted and remain in the word; -1 where they are not whole, or too many */
} al_shape;

AL_INLINE al_shape al_shape_of(size_t bytes) {
    if (bytes % AL_GRANULE || bytes > 64 * AL_GRANULE) return (al_shape){0, -1};
    int last_shift = 64 - (int)(bytes / AL_GRANULE);
    return (al_shape){~UINT64_C(0) >> last_shift, last_shift};
}

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
    bool gaps;      /* there are bytes that nothing arrives for: what is left out, or padding; they arrive as zeros */
    bool dense;     /* one run is all there is: an array of these is copied at once */
    bool simple;    /* all pointers that are followed are to one element each, of types that are not dense */
    size_t simple_bytes; /* of such an element in the stream */
    al_shape shape;
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

/* The same where items are addresses. */
AL_INLINE char **al_address_at(const al_vector *vector, size_t index) {
    return (char **)(void *)vector->chunks[index >> AL_CHUNK_SHIFT] + (index & (AL_CHUNK - 1));
}

AL_INLINE void *al_vector_push(al_vector *vector) {
    if (AL_LIKELY((vector->count & (AL_CHUNK - 1)) != 0)) return al_vector_at(vector, vector->count++);
    return al_vector_grow(vector);
}

typedef struct al_queue_chunk al_queue_chunk;

/* Items of one size, first in, first out; what was taken out occupies no memory but a spare chunk. Zero bytes but `item` are an
 * empty one. */
typedef struct {
    size_t item;
    al_queue_chunk *head, *tail, *spare;
    char *first, *first_end; /* of head: the next item, and the end of the chunk */
    char *end, *room;        /* of tail: behind the last item, and the end of the chunk */
} al_queue;

bool al_queue_grow(al_queue *queue);
void al_queue_drop(al_queue *queue);
void al_queue_free(al_queue *queue);

/* Room for one more item at the end, or NULL. `item` is queue->item, which callers know as a constant. */
AL_INLINE void *al_queue_push(al_queue *queue, size_t item) {
    if (!AL_LIKELY(queue->end != queue->room) && !al_queue_grow(queue)) return NULL;
    void *place = queue->end;
    queue->end += item;
    return place;
}

AL_INLINE bool al_queue_empty(const al_queue *queue) { return queue->first == queue->end; }

/* What will be popped after so many others, or NULL where that is not known without a search. */
AL_INLINE const void *al_queue_peek(const al_queue *queue, size_t after, size_t item) {
    const char *end = queue->head == queue->tail ? queue->end : queue->first_end;
    return after < (size_t)(end - queue->first) / item ? queue->first + after * item : NULL;
}

/* Of a queue that is not empty. The item stays where it is until the next call. */
AL_INLINE const void *al_queue_pop(al_queue *queue, size_t item) {
    if (!AL_LIKELY(queue->first != queue->first_end)) al_queue_drop(queue);
    const void *place = queue->first;
    queue->first += item;
    return place;
}

/* How many elements the blocks of one type have, where it is not one. */
typedef struct {
    uint32_t label;
    uint64_t count;
} al_length;

bool al_length_add(al_vector *lengths, uint32_t label, uint64_t count);
uint64_t al_length_of(const al_vector *lengths, uint32_t label);

/* The blocks of one type, which have their turns in the order of their labels. */
typedef struct {
    al_vector lengths; /* al_length: of those that have not one element */
    size_t lengths_passed;
    uint32_t label; /* whose turn is next */
} al_turns;

/* The number of elements of the block whose turn it is, and its label. */
AL_INLINE uint64_t al_turns_next(al_turns *turns, uint32_t *label) {
    *label = turns->label++;
    if (AL_LIKELY(turns->lengths_passed == turns->lengths.count)) return 1;
    const al_length *length = (const al_length *)al_vector_at(&turns->lengths, turns->lengths_passed);
    if (length->label != *label) return 1;
    turns->lengths_passed++;
    return length->count;
}

/* The same if that block has one element; otherwise it does nothing, and returns false. */
AL_INLINE bool al_turns_pass(al_turns *turns) {
    if (turns->lengths_passed != turns->lengths.count
        && ((const al_length *)al_vector_at(&turns->lengths, turns->lengths_passed))->label == turns->label)
        return false;
    turns->label++;
    return true;
}

/* memcpy of the plain data of a node, which is short. */
AL_INLINE void al_copy(char *to, const char *from, size_t length) {
    uint64_t words[4];
    if (length > 32) {
        memcpy(to, from, length);
    } else if (length >= 16) {
        memcpy(words, from, 16);
        memcpy(words + 2, from + length - 16, 16);
        memcpy(to, words, 16);
        memcpy(to + length - 16, words + 2, 16);
    } else if (length >= 8) {
        memcpy(words, from, 8);
        memcpy(words + 1, from + length - 8, 8);
        memcpy(to, words, 8);
        memcpy(to + length - 8, words + 1, 8);
    } else if (length >= 4) {
        uint32_t halves[2];
        memcpy(halves, from, 4);
        memcpy(halves + 1, from + length - 4, 4);
        memcpy(to, halves, 4);
        memcpy(to + length - 4, halves + 1, 4);
    } else {
        for (size_t i = 0; i < length; i++) to[i] = from[i];
    }
}

/* ---- marks.c; visits are in marks.h ---- */

/* Which bytes of memory belong to which block. Blocks have serial numbers. */
typedef struct {
    struct al_region *regions; /* open addressing, a power of two */
    size_t room, region_count, page_count;
    al_vector intervals; /* chains of intervals, where memory is sparse or not aligned */
} al_marks;

typedef enum { AL_MARK_NEW, AL_MARK_SEEN, AL_MARK_OVERLAP, AL_MARK_NO_MEMORY } al_mark_result;

/* Serial numbers are below this. */
#define AL_SERIALS ((UINT32_C(1) << 30) - 1)

bool al_marks_init(al_marks *marks, size_t expected_blocks);
void al_marks_free(al_marks *marks);

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

/* Elements side by side that are being sent or received. */
typedef struct {
    char *address;
    uint64_t count;
    uint32_t type;
} al_block;

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
    al_queue queue;        /* of what waits for its turn: where it is, and its type */
    al_turns *turns;       /* per type */
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
    al_turns *turns;      /* per type */
    al_queue queue;       /* of the types of what waits for its turn; not kept where there is one type */
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
