/* Which bytes of memory belong to which block that was visited. Blocks have serial numbers. marks.c says how it is kept;
 * what is here is the way that almost all visits take. */
#ifndef AL_MARKS_H
#define AL_MARKS_H

#include "internal.h"

#define AL_PAGE_SHIFT 12
#define AL_PAGE ((uintptr_t)1 << AL_PAGE_SHIFT)
#define AL_CELL ((uintptr_t)16)

/* A page that many blocks touch. */
typedef struct {
    uint64_t covered[AL_PAGE / AL_GRANULE / 64]; /* a bit for each granule that belongs to a block */
    uint32_t cells[AL_PAGE / AL_CELL];           /* what begins where */
} al_cells;

/* What a cell may hold apart from AL_CHAIN | index: nothing, or the only block that begins there. */
#define AL_BEGINS(SERIAL, ADDRESS) (((SERIAL) + 1) << 1 | (uint32_t)((ADDRESS) / AL_GRANULE % 2))
#define AL_CHAIN (UINT32_C(1) << 31)
_Static_assert(AL_BEGINS(AL_SERIALS - 1, AL_GRANULE) < AL_CHAIN, "cells are large enough for serial numbers");

/* 4 KiB of memory. */
typedef struct {
    al_cells *cells; /* NULL: it has a chain */
    uint32_t chain;  /* the first interval */
    uint32_t length; /* of the chain */
} al_page;

#define AL_REGION_SHIFT 20
#define AL_PAGES ((size_t)1 << (AL_REGION_SHIFT - AL_PAGE_SHIFT))

/* 1 MiB of memory: an entry of the table. */
typedef struct al_region {
    uintptr_t number;
    al_page *pages; /* NULL: the entry is free */
} al_region;

/* The entry of a region, or the free one where it would be. Neighbours have neighbouring entries, so that in one heap there are no
 * collisions. */
AL_INLINE al_region *al_region_find(al_region *regions, size_t room, uintptr_t number) {
    size_t at = (size_t)(number ^ number >> 6 ^ number >> 13) & (room - 1);
    while (!AL_LIKELY(regions[at].number == number) && regions[at].pages) at = (at + 1) & (room - 1);
    return &regions[at];
}

/* NULL if nothing is in the region. */
AL_INLINE al_page *al_page_find(const al_marks *marks, uintptr_t address) {
    const al_region *region = al_region_find(marks->regions, marks->room, address >> AL_REGION_SHIFT);
    return AL_LIKELY(region->pages) ? &region->pages[address >> AL_PAGE_SHIFT & (AL_PAGES - 1)] : NULL;
}

/* Looks for the block that begins at `start`: AL_MARK_SEEN, with its number in *serial. If there is none, the bytes from
 * `start` to `end` (not empty) become block *serial, unless some belong to another block. After the last two results
 * the marks are of no more use than to be freed. */
al_mark_result al_marks_visit(al_marks *marks, uintptr_t start, uintptr_t end, uint32_t *serial);

/* The same for a block of a shape, where that takes no more than a look at one cell and at the bits of one word. Returns false,
 * and does nothing, where it does; then al_marks_visit finds the answer. */
AL_INLINE bool al_marks_visit_quickly(al_marks *marks, uintptr_t start, al_shape shape, uint32_t *serial, bool *is_new) {
    const al_page *page = al_page_find(marks, start);
    if (!AL_LIKELY(page && page->cells)) return false;
    al_cells *cells = page->cells;
    uint32_t *cell = &cells->cells[start % AL_PAGE / AL_CELL];
    uint32_t was = *cell;
    int shift = (int)(start / AL_GRANULE % 64);
    if (was) {
        /* Not a chain, and the same half of the cell. */
        if (!AL_LIKELY(((was ^ (uint32_t)shift) & (AL_CHAIN | 1)) == 0 && start % AL_GRANULE == 0)) return false;
        *serial = (was >> 1) - 1;
        *is_new = false;
        return true;
    }
    if (!AL_LIKELY(shift <= shape.last_shift && start % AL_GRANULE == 0)) return false;
    uint64_t bits = shape.bits << shift, *covered = &cells->covered[start % AL_PAGE / AL_GRANULE / 64];
    if (!AL_LIKELY(!(*covered & bits))) return false;
    *covered |= bits;
    *cell = AL_BEGINS(*serial, start);
    *is_new = true;
    return true;
}

/* A visit of that address is to come: brings into the cache what it will read. */
AL_INLINE void al_marks_prefetch(const al_marks *marks, uintptr_t address) {
    const al_page *page = al_page_find(marks, address);
    if (!page || !page->cells) return;
    AL_PREFETCH(&page->cells->cells[address % AL_PAGE / AL_CELL]);
    AL_PREFETCH(&page->cells->covered[address % AL_PAGE / AL_GRANULE / 64]);
}

#endif
