/* Which bytes of memory belong to which block that was visited: the marks of the breadth-first search.
 *
 * A hash table has an entry for each region of 1 MiB, which lists its pages of 4 KiB. A page that few blocks touch has a chain of their intervals; another
 * one has a bit for each granule of 8 bytes, which says that it belongs to a block, and a cell for each 16 bytes, which says
 * which block begins there. Where that is not enough, as a block begins or ends within a granule or two blocks begin in one
 * cell, the cell is the head of a chain of intervals, and its bits are set. So a node that malloc made costs 4 bytes and
 * 2 bits for each 16 bytes, in memory that is likely to be in the cache, a large array costs next to nothing, and pointers
 * into the middle of anything are found wherever they come from. */
#include <string.h>

#include "marks.h"

#define CELLS (AL_PAGE / AL_CELL)

/* How long a chain gets before its page is given cells: the first pages are given them soon. And how many blocks a page must have
 * on average for a new one to be given cells at once. */
#define LONGEST_CHAIN 8
#define LONGEST_EARLY_CHAIN 1
#define EARLY_PAGES 256
#define CROWDED 16

typedef struct {
    uintptr_t start, end;
    uint32_t serial;
    uint32_t next;
} al_interval;

#define NO_INTERVAL UINT32_MAX

bool al_marks_init(al_marks *marks, size_t expected_blocks) {
    memset(marks, 0, sizeof *marks);
    marks->intervals.item = sizeof(al_interval);
    size_t room = 64;
    /* Nodes of 64 bytes, and a table that is half full. */
    while (room < expected_blocks >> (AL_REGION_SHIFT - 7) && room < (size_t)1 << 30) room *= 2;
    marks->regions = AL_MALLOC(room * sizeof *marks->regions);
    if (!marks->regions) return false;
    memset(marks->regions, 0, room * sizeof *marks->regions);
    marks->room = room;
    return true;
}

void al_marks_free(al_marks *marks) {
    for (size_t i = 0; i < marks->room; i++) {
        al_page *pages = marks->regions[i].pages;
        for (size_t page = 0; pages && page < AL_PAGES; page++) AL_FREE(pages[page].cells);
        AL_FREE(pages);
    }
    AL_FREE(marks->regions);
    al_vector_free(&marks->intervals);
    memset(marks, 0, sizeof *marks);
}

static bool grow(al_marks *marks) {
    size_t room = 2 * marks->room;
    al_region *regions = AL_MALLOC(room * sizeof *regions);
    if (!regions) return false;
    memset(regions, 0, room * sizeof *regions);
    for (size_t i = 0; i < marks->room; i++) {
        al_region region = marks->regions[i];
        if (region.pages) *al_region_find(regions, room, region.number) = region;
    }
    AL_FREE(marks->regions);
    marks->regions = regions;
    marks->room = room;
    return true;
}

/* The page of an address, with its region if that is new. NULL: no memory. */
static al_page *page_at(al_marks *marks, uintptr_t address) {
    al_page *page = al_page_find(marks, address);
    if (page) return page;
    if (2 * (marks->region_count + 1) > marks->room && !grow(marks)) return NULL;
    al_page *pages = AL_MALLOC(AL_PAGES * sizeof *pages);
    if (!pages) return NULL;
    memset(pages, 0, AL_PAGES * sizeof *pages);
    uintptr_t number = address >> AL_REGION_SHIFT;
    *al_region_find(marks->regions, marks->room, number) = (al_region){number, pages};
    marks->region_count++;
    return al_page_find(marks, address);
}

static al_interval *interval(const al_marks *marks, uint32_t index) { return al_vector_at(&marks->intervals, index); }

/* Puts an interval before a chain. */
static bool prepend(al_marks *marks, uint32_t *chain, uintptr_t start, uintptr_t end, uint32_t serial) {
    if (marks->intervals.count >= AL_CHAIN - 1) return false;
    al_interval *added = al_vector_push(&marks->intervals);
    if (!added) return false;
    *added = (al_interval){start, end, serial, *chain};
    *chain = (uint32_t)(marks->intervals.count - 1);
    return true;
}

/* The interval of a chain that has the byte, or NULL. */
static const al_interval *holder(const al_marks *marks, uint32_t chain, uintptr_t address) {
    for (uint32_t i = chain; i != NO_INTERVAL; i = interval(marks, i)->next) {
        const al_interval *found = interval(marks, i);
        if (found->start <= address && address < found->end) return found;
    }
    return NULL;
}

static bool chain_meets(const al_marks *marks, uint32_t chain, uintptr_t start, uintptr_t end) {
    for (uint32_t i = chain; i != NO_INTERVAL; i = interval(marks, i)->next) {
        if (interval(marks, i)->start < end && start < interval(marks, i)->end) return true;
    }
    return false;
}

/* The two bits of a cell. */
static uint64_t bits_of(const al_cells *cells, size_t number) { return cells->covered[number / 32] >> number % 32 * 2 & 3; }
static void set_bits(al_cells *cells, size_t number, uint64_t bits) { cells->covered[number / 32] |= bits << number % 32 * 2; }

/* The cell at `base` becomes the head of a chain, with what it knew. Intervals end with the cell; that of a block that
 * begins before it, of which nothing else is known, begins just before it. */
static bool chain_up(al_marks *marks, al_cells *cells, size_t number, uintptr_t base) {
    uint32_t *cell = &cells->cells[number];
    if (*cell & AL_CHAIN) return true;
    uintptr_t middle = base + AL_GRANULE;
    bool first = bits_of(cells, number) & 1, second = bits_of(cells, number) & 2;
    uint32_t serial = (*cell >> 1) - 1, chain = NO_INTERVAL;
    bool begins_first = *cell && !(*cell & 1), begins_second = *cell && *cell & 1;
    /* If nothing begins at the second granule, it belongs to whom the first one belongs to. */
    uintptr_t first_end = second && !begins_second ? base + AL_CELL : middle;
    if (first && !prepend(marks, &chain, begins_first ? base : base - 1, first_end, serial)) return false;
    if (begins_second && !prepend(marks, &chain, middle, base + AL_CELL, serial)) return false;
    *cell = AL_CHAIN | chain;
    set_bits(cells, number, 3);
    return true;
}

/* Marks what the block from `start` to `end` has of the cell at `base`. */
static al_mark_result mark_cell(al_marks *marks, al_cells *cells, size_t number, uintptr_t base, uintptr_t start,
                                uintptr_t end, uint32_t serial) {
    uint32_t *cell = &cells->cells[number];
    /* Lengths within the cell, which do not overflow at the end of all addresses. */
    uintptr_t from = start > base ? start - base : 0, to = end - 1 - base < AL_CELL ? end - base : AL_CELL;
    bool begins = start >= base;
    if (!(from % AL_GRANULE || to % AL_GRANULE || *cell & AL_CHAIN || (begins && *cell))) {
        uint64_t bits = (UINT64_C(3) << from / AL_GRANULE) & (to == AL_CELL ? 3 : 1);
        if (bits_of(cells, number) & bits) return AL_MARK_OVERLAP;
        set_bits(cells, number, bits);
        if (begins) *cell = AL_BEGINS(serial, start);
        return AL_MARK_NEW;
    }
    if (!chain_up(marks, cells, number, base)) return AL_MARK_NO_MEMORY;
    uint32_t chain = *cell & ~AL_CHAIN;
    if (chain == (NO_INTERVAL & ~AL_CHAIN)) chain = NO_INTERVAL;
    if (chain_meets(marks, chain, start, end)) return AL_MARK_OVERLAP;
    if (!prepend(marks, &chain, start, end, serial)) return AL_MARK_NO_MEMORY;
    *cell = AL_CHAIN | chain;
    return AL_MARK_NEW;
}

/* Marks what the block has of a page with cells. */
static al_mark_result mark_cells(al_marks *marks, al_cells *cells, uintptr_t number, uintptr_t start, uintptr_t end,
                                 uint32_t serial) {
    uintptr_t base = number << AL_PAGE_SHIFT;
    uintptr_t from = start < base ? base : start;
    /* The last byte: the end of the highest page is no address. */
    uintptr_t last = end - 1 - base < AL_PAGE ? end - 1 : base + (AL_PAGE - 1);
    for (uintptr_t cell = (from - base) / AL_CELL; cell <= (last - base) / AL_CELL; cell++) {
        al_mark_result result = mark_cell(marks, cells, cell, base + cell * AL_CELL, start, end, serial);
        if (result != AL_MARK_NEW) return result;
    }
    return AL_MARK_NEW;
}

/* From a chain to cells. */
static al_mark_result give_cells(al_marks *marks, al_page *page, uintptr_t number) {
    al_cells *cells = AL_MALLOC(sizeof *cells);
    if (!cells) return AL_MARK_NO_MEMORY;
    memset(cells, 0, sizeof *cells);
    page->cells = cells;
    uint32_t i = page->chain;
    for (uint32_t left = page->length; left; left--, i = interval(marks, i)->next) {
        al_interval old = *interval(marks, i);
        al_mark_result result = mark_cells(marks, cells, number, old.start, old.end, old.serial);
        if (result != AL_MARK_NEW) return result;
    }
    return AL_MARK_NEW;
}

/* Whether a page whose first block has that number will have many more, if it is as those before. */
static bool is_crowded(const al_marks *marks, uint32_t serial) { return serial / CROWDED > marks->page_count; }

static al_mark_result mark_page(al_marks *marks, uintptr_t number, uintptr_t start, uintptr_t end, uint32_t serial) {
    al_page *page = page_at(marks, number << AL_PAGE_SHIFT);
    if (!page) return AL_MARK_NO_MEMORY;
    if (!page->cells) {
        bool is_first = page->length == 0;
        if (is_first) page->chain = NO_INTERVAL;
        else if (chain_meets(marks, page->chain, start, end)) return AL_MARK_OVERLAP;
        uint32_t longest = marks->page_count < EARLY_PAGES ? LONGEST_EARLY_CHAIN : LONGEST_CHAIN;
        if (is_first ? !is_crowded(marks, serial) : page->length < longest) {
            if (!prepend(marks, &page->chain, start, end, serial)) return AL_MARK_NO_MEMORY;
            page->length++;
            marks->page_count += is_first;
            return AL_MARK_NEW;
        }
        al_mark_result result = give_cells(marks, page, number);
        if (result != AL_MARK_NEW) return result;
        marks->page_count += is_first;
    }
    return mark_cells(marks, page->cells, number, start, end, serial);
}

/* What is at the first byte of a block: AL_MARK_SEEN, AL_MARK_OVERLAP, or AL_MARK_NEW if nothing. */
static al_mark_result look(const al_marks *marks, uintptr_t start, uint32_t *serial) {
    const al_page *page = al_page_find(marks, start);
    if (!page || !(page->cells || page->length)) return AL_MARK_NEW;
    uint32_t chain = page->chain;
    if (page->cells) {
        size_t number = start % AL_PAGE / AL_CELL, half = start / AL_GRANULE % 2;
        uint32_t cell = page->cells->cells[number];
        if (!(bits_of(page->cells, number) >> half & 1)) return AL_MARK_NEW;
        if (!(cell & AL_CHAIN)) {
            if (!cell || start % AL_GRANULE || (cell & 1) != half) return AL_MARK_OVERLAP;
            *serial = (cell >> 1) - 1;
            return AL_MARK_SEEN;
        }
        chain = cell & ~AL_CHAIN;
    }
    const al_interval *found = holder(marks, chain, start);
    if (!found) return AL_MARK_NEW;
    if (found->start != start) return AL_MARK_OVERLAP;
    *serial = found->serial;
    return AL_MARK_SEEN;
}

al_mark_result al_marks_visit(al_marks *marks, uintptr_t start, uintptr_t end, uint32_t *serial) {
    al_mark_result result = look(marks, start, serial);
    if (result != AL_MARK_NEW) return result;
    for (uintptr_t number = start >> AL_PAGE_SHIFT; number <= (end - 1) >> AL_PAGE_SHIFT; number++) {
        result = mark_page(marks, number, start, end, *serial);
        if (result != AL_MARK_NEW) return result;
    }
    return AL_MARK_NEW;
}

bool al_marks_cover(al_marks *marks, uintptr_t address) {
    uint32_t serial;
    return look(marks, address, &serial) != AL_MARK_NEW;
}
