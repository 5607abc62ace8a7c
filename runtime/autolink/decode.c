/* From packets to a structure. Nothing in a packet is trusted: what cannot be is an error, and al_decoder_free then frees
 * what was made of the stream so far. internal.h describes the stream. */
#include "internal.h"

int al_decoder_init(al_decoder *decoder, const al_plan *plan, uint32_t root_type) {
    memset(decoder, 0, sizeof *decoder);
    decoder->plan = plan;
    decoder->root_type = root_type;
    decoder->queue.item = sizeof(uint32_t);
    size_t count = plan->type_count;
    size_t bytes = (count + 1) * sizeof *decoder->addresses + count * sizeof *decoder->turns;
    decoder->addresses = AL_MALLOC(bytes);
    if (!decoder->addresses) return al_no_memory(bytes);
    memset(decoder->addresses, 0, bytes);
    decoder->turns = (al_turns *)(decoder->addresses + count + 1);
    for (size_t type = 0; type <= count; type++) decoder->addresses[type].item = sizeof(char *);
    for (size_t type = 0; type < count; type++) decoder->turns[type].lengths.item = sizeof(al_length);
    return AL_SUCCESS;
}

void al_decoder_free(al_decoder *decoder, bool blocks) {
    if (!decoder->addresses) return;
    for (size_t type = 0; type <= decoder->plan->type_count; type++) {
        al_vector *addresses = &decoder->addresses[type];
        for (size_t label = 0; blocks && label < addresses->count; label++)
            AL_FREE(*al_address_at(addresses, label));
        al_vector_free(addresses);
        if (type < decoder->plan->type_count) al_vector_free(&decoder->turns[type].lengths);
    }
    AL_FREE(decoder->addresses);
    al_queue_free(&decoder->queue);
    memset(decoder, 0, sizeof *decoder);
}

/* The next byte, and the end of the packet. */
typedef struct {
    const char *next, *end;
} cursor;

static inline size_t left(const cursor *in) { return (size_t)(in->end - in->next); }

static inline void get(cursor *in, void *bytes, size_t length) {
    memcpy(bytes, in->next, length);
    in->next += length;
}

AL_COLD static int malformed(const char *what) { return al_fail(AL_ERR_STREAM, "malformed stream: %s", what); }

/* A new block of a type, or string. */
AL_INLINE int make_block(al_decoder *decoder, uint32_t type, size_t bytes, char **block) {
    *block = AL_MALLOC(bytes);
    if (!*block) return al_no_memory(bytes);
    char **kept = al_vector_push(&decoder->addresses[type]);
    if (!kept) {
        AL_FREE(*block);
        return al_no_memory(sizeof *kept);
    }
    *kept = *block;
    return AL_SUCCESS;
}

static int get_string(al_decoder *decoder, cursor *in, char **pointer) {
    uint64_t length;
    if (left(in) < sizeof length) return malformed("the length of a string is missing");
    get(in, &length, sizeof length);
    if (length >= SIZE_MAX / 2) return malformed("a string that no memory can hold");
    int result = make_block(decoder, decoder->plan->type_count, (size_t)length + 1, pointer);
    if (result != AL_SUCCESS) return result;
    (*pointer)[length] = '\0';
    decoder->at.bulk = *pointer;
    decoder->at.bulk_left = (size_t)length;
    return AL_SUCCESS;
}

/* Whether it is known without a queue whose turn it is. */
static inline bool is_only_type(const al_decoder *decoder) { return decoder->plan->type_count == 1; }

/* The new block of a type is to be filled when those before it are. */
AL_INLINE int wait_for_turn(al_decoder *decoder, uint32_t type) {
    if (is_only_type(decoder)) return AL_SUCCESS;
    uint32_t *last = al_queue_push(&decoder->queue, sizeof *last);
    if (!last) return al_no_memory(AL_CHUNK * sizeof *last);
    *last = type;
    return AL_SUCCESS;
}

/* What a code means for a pointer to `count` elements. */
AL_INLINE int get_pointer(al_decoder *decoder, uint32_t type, uint64_t count, uint32_t code, char **pointer) {
    size_t known = decoder->addresses[type].count;
    if (code > known + (size_t)1) return malformed("a label that was not given");
    if (count == 0) return malformed("an array without elements has a label");
    if (code <= known) {
        if (count != 1 && count > al_length_of(&decoder->turns[type].lengths, code - 1))
            return malformed("an array is shorter than its count");
        *pointer = *al_address_at(&decoder->addresses[type], code - 1);
        return AL_SUCCESS;
    }
    const al_type *target = &decoder->plan->types[type];
    size_t bytes = (size_t)count * target->size;
    int result = make_block(decoder, type, bytes, pointer);
    if (result != AL_SUCCESS) return result;
    if (target->gaps) memset(*pointer, 0, bytes);
    if (count != 1 && !al_length_add(&decoder->turns[type].lengths, code - 1, count)) return al_no_memory(sizeof(al_length));
    if (target->dense) {
        decoder->at.bulk = *pointer;
        decoder->at.bulk_left = bytes;
        return AL_SUCCESS;
    }
    return wait_for_turn(decoder, type);
}

/* Reads one pointer of the element at `base`. */
static inline int get_link(al_decoder *decoder, const al_type *type, char *base, const al_link *link, cursor *in) {
    uint32_t code;
    if (left(in) < sizeof code) return malformed("a label is cut off");
    get(in, &code, sizeof code);
    char *pointer = NULL;
    if (code) {
        int result;
        if (link->kind == AL_LINK_STRING && code == decoder->addresses[link->target].count + (size_t)1) {
            result = get_string(decoder, in, &pointer);
        } else if (link->kind == AL_LINK_COUNTED) {
            uint64_t count;
            result = al_count(link, type, base, decoder->plan->types[link->target].size, &count);
            if (result == AL_SUCCESS) result = get_pointer(decoder, link->target, count, code, &pointer);
        } else if (link->kind == AL_LINK_STRING && code > decoder->addresses[link->target].count) {
            return malformed("a string that was not given");
        } else {
            result = get_pointer(decoder, link->target, 1, code, &pointer);
        }
        if (result != AL_SUCCESS) return result;
    }
    memcpy(base + link->offset, &pointer, sizeof pointer);
    return AL_SUCCESS;
}

/* As much of what follows a code as there is. Returns whether that was all. */
static bool get_bulk(al_position *at, cursor *in) {
    size_t length = at->bulk_left < left(in) ? at->bulk_left : left(in);
    get(in, at->bulk, length);
    at->bulk += length;
    at->bulk_left -= length;
    return !at->bulk_left;
}

/* The plain data of an element. Returns whether that was all. */
static inline bool get_runs(al_position *at, const al_type *type, char *base, cursor *in) {
    if (AL_LIKELY(at->run == 0 && at->run_done == 0 && left(in) >= type->run_bytes)) {
        for (size_t i = 0; i < type->run_count; i++) {
            al_copy(base + type->runs[i].offset, in->next, type->runs[i].length);
            in->next += type->runs[i].length;
        }
        at->run = type->run_count;
        return true;
    }
    for (; at->run < type->run_count; at->run++, at->run_done = 0) {
        const AL_Run *run = &type->runs[at->run];
        size_t missing = run->length - at->run_done;
        size_t length = missing < left(in) ? missing : left(in);
        get(in, base + run->offset + at->run_done, length);
        at->run_done += length;
        if (length < missing) return false;
    }
    return true;
}

static inline void clear_opaque(const al_type *type, char *base) {
    for (size_t i = 0; i < type->opaque_count; i++) {
        const void *nothing = NULL;
        memcpy(base + type->opaque[i], &nothing, sizeof nothing);
    }
}

/* Goes on with the current block. *used_up tells whether the packet is, before the block is complete. */
static int get_block(al_decoder *decoder, cursor *in, bool *used_up) {
    al_position *at = &decoder->at;
    const al_type *type = &decoder->plan->types[at->block.type];
    *used_up = true;
    for (; at->element < at->block.count; at->element++) {
        char *base = at->block.address + at->element * type->size;
        if (!get_runs(at, type, base, in)) return AL_SUCCESS;
        for (; at->link < type->link_count; at->link++) {
            if (!left(in)) return AL_SUCCESS;
            int result = get_link(decoder, type, base, &type->links[at->link], in);
            if (result != AL_SUCCESS) return result;
            if (at->bulk_left && !get_bulk(at, in)) {
                at->link++;
                return AL_SUCCESS;
            }
        }
        clear_opaque(type, base);
        at->run = at->run_done = at->link = 0;
    }
    at->active = false;
    *used_up = false;
    return AL_SUCCESS;
}

/* What get_pointer does for one element of a type that is not dense. */
AL_INLINE int get_one(al_decoder *decoder, bool only_type, uint32_t type, uint32_t code, char **pointer) {
    al_vector *addresses = &decoder->addresses[type];
    size_t known = addresses->count;
    if (code <= known) {
        *pointer = *al_address_at(addresses, code - 1);
        return AL_SUCCESS;
    }
    if (!AL_LIKELY(code == known + 1)) return malformed("a label that was not given");
    const al_type *target = &decoder->plan->types[type];
    int result = make_block(decoder, type, target->size, pointer);
    if (result != AL_SUCCESS) return result;
    if (target->gaps) memset(*pointer, 0, target->size);
    if (only_type) return result;
    return wait_for_turn(decoder, type);
}

/* In large graphs the labels of a node are all over the table of addresses. Where all nodes are of one type, it is known where in the
 * packet those of a node that is soon to come are: brings what they need into the cache. */
AL_INLINE void look_ahead(const al_decoder *decoder, const al_type *type, const char *next, const char *end) {
    enum { SMALL = 16384, AHEAD = 6, LINKS = 8 };
    const al_vector *addresses = &decoder->addresses[0];
    if (addresses->count < SMALL || (size_t)(end - next) < (AHEAD + 1) * type->simple_bytes) return;
    next += AHEAD * type->simple_bytes + type->run_bytes;
    for (size_t i = 0; i < type->link_count && i < LINKS; i++) {
        uint32_t code;
        memcpy(&code, next + i * sizeof code, sizeof code);
        if (code && code <= addresses->count) AL_PREFETCH(al_address_at(addresses, code - 1));
    }
}

/* Blocks of one simple element, as long as these come and are in the packet as a whole: most of most structures. */
AL_INLINE int get_nodes(al_decoder *decoder, cursor *in, bool only_type) {
    const al_type *types = decoder->plan->types;
    const char *next = in->next;
    for (;;) {
        uint32_t number = 0;
        if (!only_type) {
            if (al_queue_empty(&decoder->queue)) break;
            const uint32_t *first = al_queue_peek(&decoder->queue, 0, sizeof *first);
            if (!AL_LIKELY(first != NULL)) break;
            number = *first;
        }
        al_turns *turns = &decoder->turns[number];
        uint32_t label = turns->label;
        const al_type *type = &types[number];
        if (only_type && label == decoder->addresses[0].count) break;
        if (!AL_LIKELY(type->simple && (size_t)(in->end - next) >= type->simple_bytes) || !al_turns_pass(turns)) break;
        if (!only_type) al_queue_pop(&decoder->queue, sizeof number);
        char *base = *al_address_at(&decoder->addresses[number], label);
        if (only_type) look_ahead(decoder, type, next, in->end);
        const AL_Run *run = type->runs, *last_run = run + type->run_count;
        for (; run < last_run; run++) {
            al_copy(base + run->offset, next, run->length);
            next += run->length;
        }
        const al_link *link = type->links, *last_link = link + type->link_count;
        for (; link < last_link; link++) {
            uint32_t code;
            memcpy(&code, next, sizeof code);
            next += sizeof code;
            char *pointer = NULL;
            if (code) {
                int result = get_one(decoder, only_type, only_type ? 0 : link->target, code, &pointer);
                if (!AL_LIKELY(result == AL_SUCCESS)) return result;
            }
            memcpy(base + link->offset, &pointer, sizeof pointer);
        }
        clear_opaque(type, base);
    }
    in->next = next;
    return AL_SUCCESS;
}

/* Makes the next block the current one. Returns whether there is one. */
static inline bool take_turn(al_decoder *decoder) {
    uint32_t type = 0, label;
    if (is_only_type(decoder)) {
        if (decoder->turns[0].label == decoder->addresses[0].count || decoder->plan->types[0].dense) return false;
    } else {
        if (al_queue_empty(&decoder->queue)) return false;
        type = *(const uint32_t *)al_queue_pop(&decoder->queue, sizeof type);
    }
    uint64_t count = al_turns_next(&decoder->turns[type], &label);
    decoder->at.block = (al_block){*al_address_at(&decoder->addresses[type], label), count, type};
    return true;
}

int al_decode(al_decoder *decoder, const char *packet, size_t length) {
    al_position *at = &decoder->at;
    cursor in = {packet, packet + length};
    if (decoder->finished) return malformed("it goes on after its end");
    if (!at->begun) {
        uint32_t code;
        if (length < sizeof code) return malformed("the root is missing");
        get(&in, &code, sizeof code);
        at->begun = true;
        if (code) {
            int result = get_pointer(decoder, decoder->root_type, 1, code, &decoder->root);
            if (result != AL_SUCCESS) return result;
        }
    }
    bool used_up = at->bulk_left && !get_bulk(at, &in);
    while (!used_up) {
        if (!at->active) {
            int result = is_only_type(decoder) ? get_nodes(decoder, &in, true) : get_nodes(decoder, &in, false);
            if (result != AL_SUCCESS) return result;
            if (!take_turn(decoder)) {
                decoder->finished = true;
                return left(&in) ? malformed("it goes on after its end") : AL_SUCCESS;
            }
            at->element = 0;
            at->run = at->run_done = at->link = 0;
            at->active = true;
        }
        int result = get_block(decoder, &in, &used_up);
        if (result != AL_SUCCESS) return result;
    }
    return AL_SUCCESS;
}
