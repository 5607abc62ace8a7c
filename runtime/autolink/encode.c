/* From a structure to packets: a breadth-first search that can stop wherever a packet is full, and goes on in the next
 * one. internal.h describes the stream. */
#include "marks.h"

/* Label and type of a block, by its serial number. */
typedef struct {
    uint32_t label;
    uint32_t type;
} seen_block;

/* A block that waits for its turn. */
typedef struct {
    char *address;
    uint32_t type;
} waiting;

/* A code, and the length of a string. */
#define LARGEST_ITEM (sizeof(uint32_t) + sizeof(uint64_t))

/* The highest label, whose code is still one of 32 bits. */
#define LAST_LABEL (UINT32_MAX - 1)

int al_encoder_init(al_encoder *encoder, const al_plan *plan, const void *root, uint32_t root_type, size_t expected) {
    memset(encoder, 0, sizeof *encoder);
    encoder->plan = plan;
    encoder->root = root;
    encoder->root_type = root_type;
    encoder->seen.item = sizeof(seen_block);
    encoder->queue.item = sizeof(waiting);
    size_t bytes = plan->type_count * sizeof *encoder->turns + (plan->type_count + 1) * sizeof *encoder->next_label;
    encoder->turns = AL_MALLOC(bytes);
    if (!encoder->turns || !al_marks_init(&encoder->marks, expected)) {
        AL_FREE(encoder->turns);
        encoder->turns = NULL;
        return al_no_memory(bytes);
    }
    memset(encoder->turns, 0, bytes);
    encoder->next_label = (uint32_t *)(encoder->turns + plan->type_count);
    for (uint32_t type = 0; type < plan->type_count; type++) encoder->turns[type].lengths.item = sizeof(al_length);
    return AL_SUCCESS;
}

void al_encoder_free(al_encoder *encoder) {
    if (!encoder->turns) return;
    for (uint32_t type = 0; type < encoder->plan->type_count; type++) al_vector_free(&encoder->turns[type].lengths);
    AL_FREE(encoder->turns);
    al_marks_free(&encoder->marks);
    al_strings_free(&encoder->strings);
    al_vector_free(&encoder->seen);
    al_queue_free(&encoder->queue);
    memset(encoder, 0, sizeof *encoder);
}

/* Keeps the address of a new block or string, if that is asked for. */
static bool keep_address(al_encoder *encoder, const char *address) {
    if (!encoder->addresses) return true;
    const char **kept = al_vector_push(encoder->addresses);
    if (!kept) return false;
    *kept = address;
    return true;
}

/* For messages: whose pointer it is. */
static const char *owner_name(const al_encoder *encoder) {
    return encoder->at.active ? encoder->plan->types[encoder->at.block.type].name : "the argument";
}

AL_COLD static int overlap(const al_encoder *encoder, const al_link *link, const char *pointer) {
    return al_fail(AL_ERR_INTERIOR,
                   "%s.%s = %p is not the beginning of a %s: it points into the middle of another block, or another pointer "
                   "points into the middle of this one",
                   owner_name(encoder), link->name, (const void *)pointer, encoder->plan->types[link->target].name);
}

/* Whether the blocks' labels are their serial numbers. */
static inline bool is_only_type(const al_encoder *encoder) { return encoder->plan->type_count == 1; }

/* The block is a new one: gives it a label, and has it sent, at once or later. */
AL_INLINE int discover(al_encoder *encoder, const al_link *link, const char *pointer, uint64_t count, uint32_t *code) {
    uint32_t type = link->target;
    uint32_t label = encoder->next_label[type];
    if (encoder->blocks >= AL_SERIALS) return al_fail(AL_ERR_LIMIT, "more than %lu blocks", (unsigned long)AL_SERIALS);
    if (!is_only_type(encoder)) {
        seen_block *seen = al_vector_push(&encoder->seen);
        if (!seen) return al_no_memory(sizeof *seen);
        *seen = (seen_block){label, type};
    }
    encoder->blocks++;
    if (count != 1 && !al_length_add(&encoder->turns[type].lengths, label, count)) return al_no_memory(sizeof(al_length));
    if (!keep_address(encoder, pointer)) return al_no_memory(sizeof(char *));
    encoder->next_label[type] = label + 1;
    *code = label + 1;
    /* Only read: what is common to both directions has pointers without const. */
    char *address = (char *)(uintptr_t)pointer;
    if (encoder->plan->types[type].dense) {
        encoder->at.bulk = address;
        encoder->at.bulk_left = encoder->addresses ? 0 : (size_t)count * encoder->plan->types[type].size;
        return AL_SUCCESS;
    }
    waiting *last = al_queue_push(&encoder->queue, sizeof *last);
    if (!last) return al_no_memory(AL_CHUNK * sizeof *last);
    *last = (waiting){address, type};
    return AL_SUCCESS;
}

/* The code of a pointer that is not NULL to `count` elements. */
AL_NOINLINE static int visit(al_encoder *encoder, const al_link *link, const char *pointer, uint64_t count, uint32_t *code) {
    uintptr_t start = (uintptr_t)pointer;
    size_t bytes = (size_t)count * encoder->plan->types[link->target].size;
    if (bytes > UINTPTR_MAX - start) return overlap(encoder, link, pointer);
    uint32_t serial = encoder->blocks;
    bool is_new;
    al_mark_result result;
    if (al_marks_visit_quickly(&encoder->marks, start, al_shape_of(bytes), &serial, &is_new)) {
        result = is_new ? AL_MARK_NEW : AL_MARK_SEEN;
    } else {
        result = al_marks_visit(&encoder->marks, start, start + bytes, &serial);
    }
    switch (result) {
    case AL_MARK_NEW: return discover(encoder, link, pointer, count, code);
    case AL_MARK_SEEN: break;
    case AL_MARK_OVERLAP: return overlap(encoder, link, pointer);
    default: return al_no_memory(sizeof(al_cells));
    }
    const seen_block only = {serial, 0};
    const seen_block *seen = is_only_type(encoder) ? &only : al_vector_at(&encoder->seen, serial);
    if (seen->type != link->target) return overlap(encoder, link, pointer);
    if (count != 1 && count > al_length_of(&encoder->turns[seen->type].lengths, seen->label))
        return al_fail(AL_ERR_INTERIOR, "%s.%s = %p has %llu elements, but was met before with %llu", owner_name(encoder),
                       link->name, (const void *)pointer, (unsigned long long)count,
                       (unsigned long long)al_length_of(&encoder->turns[seen->type].lengths, seen->label));
    *code = seen->label + 1;
    return AL_SUCCESS;
}

/* The code of a string, whose characters follow if it is new. */
static int visit_string(al_encoder *encoder, const char *string, uint32_t *code, bool *is_new) {
    al_string *entry = al_strings_find(&encoder->strings, (uintptr_t)string);
    if (!entry) return al_no_memory(2 * encoder->strings.room * sizeof *entry);
    *is_new = !entry->address;
    if (*is_new) {
        uint32_t *next = &encoder->next_label[encoder->plan->type_count];
        if (*next >= LAST_LABEL) return al_fail(AL_ERR_LIMIT, "more than %lu strings", (unsigned long)LAST_LABEL);
        *entry = (al_string){(uintptr_t)string, (*next)++};
        encoder->strings.count++;
        if (!keep_address(encoder, string)) return al_no_memory(sizeof(char *));
        encoder->at.bulk = (char *)(uintptr_t)string;
        encoder->at.bulk_left = strlen(string);
    }
    *code = entry->label + 1;
    return AL_SUCCESS;
}

/* Where the next byte goes, and where the packet ends. */
typedef struct {
    char *next, *end;
} cursor;

static inline size_t room(const cursor *out) { return (size_t)(out->end - out->next); }

static inline void put(cursor *out, const void *bytes, size_t length) {
    memcpy(out->next, bytes, length);
    out->next += length;
}

/* Puts as much of what follows a code as there is room for. Returns whether that was all. */
static bool put_bulk(al_position *at, cursor *out) {
    size_t length = at->bulk_left < room(out) ? at->bulk_left : room(out);
    put(out, at->bulk, length);
    at->bulk += length;
    at->bulk_left -= length;
    return !at->bulk_left;
}

/* Puts the plain data of an element. Returns whether that was all. */
static inline bool put_runs(al_position *at, const al_type *type, const char *base, cursor *out) {
    if (AL_LIKELY(at->run == 0 && at->run_done == 0 && room(out) >= type->run_bytes)) {
        for (size_t i = 0; i < type->run_count; i++) {
            al_copy(out->next, base + type->runs[i].offset, type->runs[i].length);
            out->next += type->runs[i].length;
        }
        at->run = type->run_count;
        return true;
    }
    for (; at->run < type->run_count; at->run++, at->run_done = 0) {
        const AL_Run *run = &type->runs[at->run];
        size_t left = run->length - at->run_done;
        size_t length = left < room(out) ? left : room(out);
        put(out, base + run->offset + at->run_done, length);
        at->run_done += length;
        if (length < left) return false;
    }
    return true;
}

/* Puts the code of one pointer, and what follows it as far as there is room. */
static inline int put_link(al_encoder *encoder, const al_type *type, const char *base, const al_link *link, cursor *out) {
    const char *pointer;
    memcpy(&pointer, base + link->offset, sizeof pointer);
    uint32_t code = 0;
    if (!pointer) {
        put(out, &code, sizeof code);
        return AL_SUCCESS;
    }
    int result;
    if (AL_LIKELY(link->kind != AL_LINK_STRING)) {
        uint64_t count = 1;
        if (link->kind == AL_LINK_COUNTED) {
            result = al_count(link, type, base, encoder->plan->types[link->target].size, &count);
            if (result != AL_SUCCESS) return result;
        }
        if (count) {
            result = visit(encoder, link, pointer, count, &code);
            if (result != AL_SUCCESS) return result;
        }
        put(out, &code, sizeof code);
    } else {
        bool is_new = false;
        result = visit_string(encoder, pointer, &code, &is_new);
        if (result != AL_SUCCESS) return result;
        put(out, &code, sizeof code);
        if (is_new) {
            uint64_t length = encoder->at.bulk_left;
            put(out, &length, sizeof length);
            if (encoder->addresses) encoder->at.bulk_left = 0;
        }
    }
    return AL_SUCCESS;
}

/* A string within a node is a pointer into the middle of it. */
static int check_strings(al_encoder *encoder) {
    for (size_t i = 0; i < encoder->strings.room; i++) {
        uintptr_t address = encoder->strings.entries[i].address;
        if (address && al_marks_cover(&encoder->marks, address))
            return al_fail(AL_ERR_INTERIOR, "the string at %p is in the middle of another block", (void *)address);
    }
    return AL_SUCCESS;
}

/* Goes on with the current block. *full tells whether the packet is. */
static int put_block(al_encoder *encoder, cursor *out, bool *full) {
    al_position *at = &encoder->at;
    const al_type *type = &encoder->plan->types[at->block.type];
    *full = true;
    for (; at->element < at->block.count; at->element++) {
        const char *base = at->block.address + at->element * type->size;
        if (!put_runs(at, type, base, out)) return AL_SUCCESS;
        for (; at->link < type->link_count; at->link++) {
            if (room(out) < LARGEST_ITEM) return AL_SUCCESS;
            int result = put_link(encoder, type, base, &type->links[at->link], out);
            if (result != AL_SUCCESS) return result;
            if (at->bulk_left && !put_bulk(at, out)) {
                at->link++;
                return AL_SUCCESS;
            }
        }
        at->run = at->run_done = at->link = 0;
    }
    at->active = false;
    *full = false;
    return AL_SUCCESS;
}

/* In large graphs nodes, and the marks of those that they point to, are all over the memory. Blocks that are soon to be sent
 * are brought into the cache, and then what is to be known of their pointers, while others are worked at. A list never has blocks
 * waiting, and pays nothing; nor does a structure that is in the cache as a whole. */
AL_INLINE void look_ahead(const al_encoder *encoder, const al_queue *queue, uint32_t blocks) {
    enum { SMALL = 16384, FAR = 16, NEAR = 6, LINKS = 8 };
    if (blocks < SMALL) return;
    const waiting *far = al_queue_peek(queue, FAR, sizeof *far);
    if (!far) return;
    AL_PREFETCH(far->address);
    AL_PREFETCH(far->address + encoder->plan->types[far->type].size - 1);
    const waiting *near = far - (FAR - NEAR);
    const al_type *type = &encoder->plan->types[near->type];
    for (size_t i = 0; i < type->link_count && i < LINKS; i++) {
        const char *pointer;
        memcpy(&pointer, near->address + type->links[i].offset, sizeof pointer);
        if (pointer) al_marks_prefetch(&encoder->marks, (uintptr_t)pointer);
    }
}

/* What put_nodes keeps where the compiler knows that nothing else changes it. */
typedef struct {
    al_queue queue;
    uint32_t blocks;
} hot;

static inline void cool_down(al_encoder *encoder, const hot *h) {
    encoder->queue = h->queue;
    encoder->blocks = h->blocks;
    if (is_only_type(encoder)) encoder->next_label[0] = h->blocks;
}

static inline hot warm_up(const al_encoder *encoder) { return (hot){encoder->queue, encoder->blocks}; }

/* What visit does for one element of a type that is not dense. */
AL_INLINE int visit_one(al_encoder *encoder, hot *h, bool only_type, const al_block *from, const al_link *link, const char *pointer,
                        uint32_t *code) {
    const al_type *target = only_type ? encoder->plan->types : &encoder->plan->types[link->target];
    uint32_t serial = h->blocks;
    bool is_new;
    if (!AL_LIKELY(h->queue.end != h->queue.room && h->blocks < AL_SERIALS)
        || !al_marks_visit_quickly(&encoder->marks, (uintptr_t)pointer, target->shape, &serial, &is_new)) {
        cool_down(encoder, h);
        encoder->at.block = *from;
        encoder->at.active = true;
        int result = visit(encoder, link, pointer, 1, code);
        encoder->at.active = false;
        *h = warm_up(encoder);
        return result;
    }
    if (is_new) {
        uint32_t label = serial;
        if (!only_type) {
            label = encoder->next_label[link->target]++;
            seen_block *seen = al_vector_push(&encoder->seen);
            if (!seen) return al_no_memory(sizeof *seen);
            *seen = (seen_block){label, link->target};
        }
        h->blocks++;
        waiting *last = al_queue_push(&h->queue, sizeof *last);
        *last = (waiting){(char *)(uintptr_t)pointer, only_type ? 0 : link->target};
        *code = label + 1;
        return AL_SUCCESS;
    }
    *code = serial + 1;
    if (only_type) return AL_SUCCESS;
    const seen_block *seen = al_vector_at(&encoder->seen, serial);
    *code = seen->label + 1;
    if (AL_LIKELY(seen->type == link->target)) return AL_SUCCESS;
    encoder->at.block = *from;
    encoder->at.active = true;
    return overlap(encoder, link, pointer);
}

/* Blocks of one simple element, as long as these come and there is room: most of most structures. */
AL_INLINE int put_nodes(al_encoder *encoder, cursor *out, bool only_type) {
    const al_type *types = encoder->plan->types;
    hot h = warm_up(encoder);
    char *next = out->next;
    int result = AL_SUCCESS;
    while (!al_queue_empty(&h.queue)) {
        if (!AL_LIKELY(h.queue.first != h.queue.first_end)) {
            cool_down(encoder, &h);
            al_queue_drop(&encoder->queue);
            h = warm_up(encoder);
        }
        const waiting *first = (const waiting *)(const void *)h.queue.first;
        al_block block = {first->address, 1, only_type ? 0 : first->type};
        const al_type *type = &types[block.type];
        if (!AL_LIKELY(type->simple && (size_t)(out->end - next) >= type->simple_bytes)) break;
        if (!only_type && !al_turns_pass(&encoder->turns[block.type])) break;
        h.queue.first += sizeof *first;
        look_ahead(encoder, &h.queue, h.blocks);
        const AL_Run *run = type->runs, *last_run = run + type->run_count;
        for (; run < last_run; run++) {
            al_copy(next, block.address + run->offset, run->length);
            next += run->length;
        }
        const al_link *link = type->links, *last_link = link + type->link_count;
        for (; link < last_link; link++) {
            const char *pointer;
            memcpy(&pointer, block.address + link->offset, sizeof pointer);
            uint32_t code = 0;
            if (pointer) {
                result = visit_one(encoder, &h, only_type, &block, link, pointer, &code);
                if (!AL_LIKELY(result == AL_SUCCESS)) goto end;
            }
            memcpy(next, &code, sizeof code);
            next += sizeof code;
        }
    }
end:
    cool_down(encoder, &h);
    out->next = next;
    return result;
}

int al_encode(al_encoder *encoder, char *packet, size_t capacity, size_t *used) {
    al_position *at = &encoder->at;
    cursor out = {packet, packet + capacity};
    int result = AL_SUCCESS;
    bool full = false;
    if (!at->begun) {
        at->begun = true;
        const al_link link = {.name = "root", .target = encoder->root_type, .kind = AL_LINK_ONE};
        uint32_t code = 0;
        if (encoder->root) result = visit(encoder, &link, encoder->root, 1, &code);
        put(&out, &code, sizeof code);
    }
    if (at->bulk_left) full = !put_bulk(at, &out);
    while (result == AL_SUCCESS && !full) {
        if (!at->active) {
            /* Addresses that are kept are kept by `discover`. */
            const waiting *first = al_queue_peek(&encoder->queue, 0, sizeof *first);
            if (first && encoder->plan->types[first->type].simple && !encoder->addresses) {
                result = is_only_type(encoder) ? put_nodes(encoder, &out, true) : put_nodes(encoder, &out, false);
                if (result != AL_SUCCESS) break;
            }
            if (al_queue_empty(&encoder->queue)) {
                encoder->finished = true;
                result = check_strings(encoder);
                break;
            }
            const waiting *next = al_queue_pop(&encoder->queue, sizeof *next);
            uint32_t label;
            at->block = (al_block){next->address, al_turns_next(&encoder->turns[next->type], &label), next->type};
            look_ahead(encoder, &encoder->queue, encoder->blocks);
            at->element = 0;
            at->run = at->run_done = at->link = 0;
            at->active = true;
        }
        result = put_block(encoder, &out, &full);
    }
    *used = (size_t)(out.next - packet);
    return result;
}
