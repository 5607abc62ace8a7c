#include "same.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of both sides that must correspond. */
typedef struct {
    const char *a, *b;
    uint64_t count;
    const AL_Type *type; /* NULL: a string */
} Pair;

typedef struct {
    Pair *pairs;
    size_t count, room, done;
    size_t *by_a, *by_b; /* hash tables of indices + 1 */
    size_t slots;
} Work;

static size_t *find(Work *w, size_t *table, const char *address, bool of_a) {
    size_t slot = ((uintptr_t)address >> 3) * 2654435761u % w->slots;
    while (table[slot] && (of_a ? w->pairs[table[slot] - 1].a : w->pairs[table[slot] - 1].b) != address) slot = (slot + 1) % w->slots;
    return &table[slot];
}

static void grow(Work *w) {
    w->room = w->room ? 2 * w->room : 1024;
    w->slots = 2 * w->room + 1;
    w->pairs = realloc(w->pairs, w->room * sizeof *w->pairs);
    free(w->by_a);
    free(w->by_b);
    w->by_a = calloc(w->slots, sizeof *w->by_a);
    w->by_b = calloc(w->slots, sizeof *w->by_b);
    if (!w->pairs || !w->by_a || !w->by_b) abort();
    for (size_t i = 0; i < w->count; i++) {
        *find(w, w->by_a, w->pairs[i].a, true) = i + 1;
        *find(w, w->by_b, w->pairs[i].b, false) = i + 1;
    }
}

static bool differ(const char *what, const char *where) {
    fprintf(stderr, "structures differ: %s of %s\n", what, where);
    return false;
}

/* Two pointers that must correspond. */
static bool meet(Work *w, const char *a, const char *b, uint64_t count, const AL_Type *type, const char *where) {
    if (!a || (type && count == 0)) return b ? differ("NULL", where) : true;
    if (!b) return differ("a pointer that became NULL", where);
    if (w->count == w->room) grow(w);
    size_t *of_a = find(w, w->by_a, a, true), *of_b = find(w, w->by_b, b, false);
    if (*of_a != *of_b) return differ("sharing", where);
    if (*of_a) return w->pairs[*of_a - 1].type == type ? true : differ("the type", where);
    w->pairs[w->count++] = (Pair){a, b, count, type};
    *of_a = *of_b = w->count;
    return type || strcmp(a, b) == 0 ? true : differ("characters", where);
}

static uint64_t count_at(const AL_Link *link, const char *base) {
    uint64_t value = 0;
    for (size_t i = link->count_size; i-- > 0;) value = value << 8 | (unsigned char)base[link->count_offset + i];
    return value;
}

static bool compare(Work *w, const char *a, const char *b, const AL_Type *type) {
    for (size_t i = 0; i < type->run_count; i++) {
        if (memcmp(a + type->runs[i].offset, b + type->runs[i].offset, type->runs[i].length) != 0)
            return differ("plain data", type->name);
    }
    for (size_t i = 0; i < type->link_count; i++) {
        const AL_Link *link = &type->links[i];
        for (size_t r = 0; r < link->repeat; r++) {
            size_t at = link->offset + r * sizeof(void *);
            const char *pa, *pb;
            memcpy(&pa, a + at, sizeof pa);
            memcpy(&pb, b + at, sizeof pb);
            if (link->kind == AL_LINK_OPAQUE) {
                if (pb) return differ("an opaque pointer", type->name);
                continue;
            }
            uint64_t count = link->kind == AL_LINK_COUNTED ? count_at(link, a) : 1;
            const AL_Type *target = link->kind == AL_LINK_STRING ? NULL : &type->schema->types[link->target];
            if (!meet(w, pa, pb, count, target, link->name)) return false;
        }
    }
    return true;
}

bool same(const void *a, const void *b, const AL_Type *type) {
    Work w = {0};
    bool equal = meet(&w, a, b, 1, type, "root");
    while (equal && w.done < w.count) {
        Pair pair = w.pairs[w.done++];
        for (uint64_t i = 0; equal && pair.type && i < pair.count; i++)
            equal = compare(&w, pair.a + i * pair.type->size, pair.b + i * pair.type->size, pair.type);
    }
    free(w.pairs);
    free(w.by_a);
    free(w.by_b);
    return equal;
}
