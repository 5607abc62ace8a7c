/* From packets to a structure. Nothing in a packet is trusted: what cannot be is an error, and al_decoder_free then frees
 * what was made of the stream so far. internal.h describes the stream. */
#include <string.h>

#include "internal.h"

int al_decoder_init(al_decoder *decoder, const al_plan *plan, uint32_t root_type) {
    memset(decoder, 0, sizeof *decoder);
    decoder->plan = plan;
    decoder->root_type = root_type;
    size_t count = plan->type_count, bytes = (2 * count + 1) * sizeof *decoder->addresses;
    decoder->addresses = AL_MALLOC(bytes);
    if (!decoder->addresses) return al_no_memory(bytes);
    memset(decoder->addresses, 0, bytes);
    decoder->lengths = decoder->addresses + count + 1;
    for (size_t type = 0; type <= count; type++) decoder->addresses[type].item = sizeof(char *);
    for (size_t type = 0; type < count; type++) decoder->lengths[type].item = sizeof(al_length);
    return AL_SUCCESS;
}

void al_decoder_free(al_decoder *decoder, bool blocks) {
    if (!decoder->addresses) return;
    for (size_t type = 0; type <= decoder->plan->type_count; type++) {
        al_vector *addresses = &decoder->addresses[type];
        for (size_t label = 0; blocks && label < addresses->count; label++)
            AL_FREE(*(char **)al_vector_at(addresses, label));
        al_vector_free(addresses);
        if (type < decoder->plan->type_count) al_vector_free(&decoder->lengths[type]);
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
static inline int make_block(al_decoder *decoder, uint32_t type, size_t bytes, char **block) {
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

/* What a code means for a pointer to `count` elements. */
static inline int get_pointer(al_decoder *decoder, uint32_t type, uint64_t count, uint32_t code, char **pointer) {
    size_t known = decoder->addresses[type].count;
    if (code > known + (size_t)1) return malformed("a label that was not given");
    if (count == 0) return malformed("an array without elements has a label");
    if (code <= known) {
        if (count != 1 && count > al_length_of(&decoder->lengths[type], code - 1))
            return malformed("an array is shorter than its count");
        *pointer = *(char **)al_vector_at(&decoder->addresses[type], code - 1);
        return AL_SUCCESS;
    }
    const al_type *target = &decoder->plan->types[type];
    size_t bytes = (size_t)count * target->size;
    int result = make_block(decoder, type, bytes, pointer);
    if (result != AL_SUCCESS) return result;
    if (count != 1 && !al_length_add(&decoder->lengths[type], code - 1, count)) return al_no_memory(sizeof(al_length));
    if (target->dense) {
        decoder->at.bulk = *pointer;
        decoder->at.bulk_left = bytes;
    } else if (!al_queue_push(&decoder->queue, (al_block){*pointer, count, type})) {
        return al_no_memory(sizeof(al_queue_chunk));
    }
    return AL_SUCCESS;
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
        for (size_t i = 0; i < type->run_count; i++) get(in, base + type->runs[i].offset, type->runs[i].length);
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
        for (size_t i = 0; i < type->opaque_count; i++) {
            const void *nothing = NULL;
            memcpy(base + type->opaque[i], &nothing, sizeof nothing);
        }
        at->run = at->run_done = at->link = 0;
    }
    at->active = false;
    *used_up = false;
    return AL_SUCCESS;
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
            if (al_queue_empty(&decoder->queue)) {
                decoder->finished = true;
                return left(&in) ? malformed("it goes on after its end") : AL_SUCCESS;
            }
            at->block = al_queue_pop(&decoder->queue);
            at->element = 0;
            at->run = at->run_done = at->link = 0;
            at->active = true;
        }
        int result = get_block(decoder, &in, &used_up);
        if (result != AL_SUCCESS) return result;
    }
    return AL_SUCCESS;
}
