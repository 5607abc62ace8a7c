/* Which bytes of memory belong to which block that was visited: the marks of the breadth-first search.
 *
 * A hash table has an entry for each page of 4 KiB. A page that few blocks touch has a chain of their intervals; another
 * one has a slot for each granule of 8 bytes. A slot says that a block begins there, or that the granule is inside a
 * block, or, where a block begins or ends within the granule, it is the head of a chain of intervals. So a node that
 * malloc made costs one slot per 8 bytes in memory that is likely to be in the cache, a large array next to nothing, and
 * pointers into the middle of anything are found wherever they come from. */
#include <string.h>

#include "internal.h"

#define PAGE_SHIFT 12
#define PAGE ((uintptr_t)1 << PAGE_SHIFT)
#define GRANULE ((uintptr_t)8)
#define SLOTS (PAGE / GRANULE)

/* How long a chain gets before its page is given slots. */
#define LONGEST_CHAIN 8

typedef struct al_page {
    uintptr_t number;
    uint32_t *slots; /* NULL: a chain */
    uint32_t chain;  /* NO_INTERVAL: nothing */
    uint32_t length; /* of the chain; 0 and no slots: the entry is free */
} al_page;

typedef struct {
    uintptr_t start, end;
    uint32_t serial;
    uint32_t next;
} al_interval;

#define NO_INTERVAL UINT32_MAX

/* What a slot may hold, apart from CHAIN | index. */
#define EMPTY UINT32_C(0)
#define INSIDE UINT32_C(1)
#define BEGINS(SERIAL) ((SERIAL) + 2)
#define CHAIN (UINT32_C(1) << 31)
_Static_assert(BEGINS(AL_SERIALS - 3) < CHAIN, "slots are large enough for serial numbers");

bool al_marks_init(al_marks *marks, size_t expected_blocks) {
    memset(marks, 0, sizeof *marks);
    marks->intervals.item = sizeof(al_interval);
    size_t room = 64;
    /* Nodes of 64 bytes, and a table that is half full. */
    while (room < expected_blocks / 32 && room < (size_t)1 << 40) room *= 2;
    marks->pages = AL_MALLOC(room * sizeof *marks->pages);
    if (!marks->pages) return false;
    memset(marks->pages, 0, room * sizeof *marks->pages);
    marks->page_room = room;
    return true;
}

static bool is_free(const al_page *page) { return !page->slots && !page->length; }

void al_marks_free(al_marks *marks) {
    for (size_t i = 0; i < marks->page_room; i++) AL_FREE(marks->pages[i].slots);
    AL_FREE(marks->pages);
    al_vector_free(&marks->intervals);
    memset(marks, 0, sizeof *marks);
}

/* The entry of a page, or the free one where it would be. */
static inline al_page *find(al_page *pages, size_t room, uintptr_t number) {
    uint64_t mixed = (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(mixed >> 32) & (room - 1);
    while (!is_free(&pages[at]) && pages[at].number != number) at = (at + 1) & (room - 1);
    return &pages[at];
}

static bool grow(al_marks *marks) {
    size_t room = 2 * marks->page_room;
    al_page *pages = AL_MALLOC(room * sizeof *pages);
    if (!pages) return false;
    memset(pages, 0, room * sizeof *pages);
    for (size_t i = 0; i < marks->page_room; i++) {
        if (!is_free(&marks->pages[i])) *find(pages, room, marks->pages[i].number) = marks->pages[i];
    }
    AL_FREE(marks->pages);
    marks->pages = pages;
    marks->page_room = room;
    marks->last = NULL;
    return true;
}

/* NULL if nothing is on the page. */
static inline al_page *page_of(al_marks *marks, uintptr_t address) {
    uintptr_t number = address >> PAGE_SHIFT;
    if (AL_LIKELY(marks->last && marks->last->number == number)) return marks->last;
    al_page *page = find(marks->pages, marks->page_room, number);
    if (is_free(page)) return NULL;
    return marks->last = page;
}

static al_interval *interval(const al_marks *marks, uint32_t index) { return al_vector_at(&marks->intervals, index); }

/* Puts an interval before a chain. */
static bool prepend(al_marks *marks, uint32_t *chain, uintptr_t start, uintptr_t end, uint32_t serial) {
    if (marks->intervals.count >= CHAIN - 1) return false;
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

/* Marks what the block from `start` to `end` has of a page with slots. */
static al_mark_result mark_slots(al_marks *marks, al_page *page, uintptr_t start, uintptr_t end, uint32_t serial) {
    uintptr_t base = page->number << PAGE_SHIFT;
    uintptr_t from = start < base ? base : start;
    /* The last byte: the end of the highest page is no address. */
    uintptr_t last = end - 1 - base < PAGE ? end - 1 : base + (PAGE - 1);
    for (uintptr_t granule = (from - base) / GRANULE; granule <= (last - base) / GRANULE; granule++) {
        uintptr_t first = base + granule * GRANULE;
        uint32_t *slot = &page->slots[granule];
        if (start <= first && first + (GRANULE - 1) <= end - 1) {
            if (*slot != EMPTY) return AL_MARK_OVERLAP;
            *slot = start == first ? BEGINS(serial) : INSIDE;
            continue;
        }
        uint32_t chain = NO_INTERVAL;
        if (*slot & CHAIN) {
            chain = *slot & ~CHAIN;
            if (chain_meets(marks, chain, start, end)) return AL_MARK_OVERLAP;
        } else if (*slot != EMPTY) {
            return AL_MARK_OVERLAP;
        }
        if (!prepend(marks, &chain, start, end, serial)) return AL_MARK_NO_MEMORY;
        *slot = CHAIN | chain;
    }
    return AL_MARK_NEW;
}

/* From a chain to slots. */
static al_mark_result give_slots(al_marks *marks, al_page *page) {
    page->slots = AL_MALLOC(SLOTS * sizeof *page->slots);
    if (!page->slots) return AL_MARK_NO_MEMORY;
    memset(page->slots, 0, SLOTS * sizeof *page->slots);
    for (uint32_t i = page->chain; i != NO_INTERVAL; i = interval(marks, i)->next) {
        al_interval old = *interval(marks, i);
        al_mark_result result = mark_slots(marks, page, old.start, old.end, old.serial);
        if (result != AL_MARK_NEW) return result;
    }
    return AL_MARK_NEW;
}

static al_mark_result mark_page(al_marks *marks, uintptr_t number, uintptr_t start, uintptr_t end, uint32_t serial) {
    al_page *page = find(marks->pages, marks->page_room, number);
    if (is_free(page)) {
        if (2 * (marks->page_count + 1) > marks->page_room) {
            if (!grow(marks)) return AL_MARK_NO_MEMORY;
            page = find(marks->pages, marks->page_room, number);
        }
        marks->page_count++;
        *page = (al_page){.number = number, .chain = NO_INTERVAL};
    }
    if (!page->slots) {
        if (chain_meets(marks, page->chain, start, end)) return AL_MARK_OVERLAP;
        if (page->length < LONGEST_CHAIN) {
            if (!prepend(marks, &page->chain, start, end, serial)) return AL_MARK_NO_MEMORY;
            page->length++;
            return AL_MARK_NEW;
        }
        al_mark_result result = give_slots(marks, page);
        if (result != AL_MARK_NEW) return result;
    }
    return mark_slots(marks, page, start, end, serial);
}

/* What is at the first byte of a block: AL_MARK_SEEN, AL_MARK_OVERLAP, or AL_MARK_NEW if nothing. */
static al_mark_result look(const al_marks *marks, const al_page *page, uintptr_t start, uint32_t *serial) {
    uint32_t chain = page->chain;
    if (page->slots) {
        uint32_t slot = page->slots[start % PAGE / GRANULE];
        if (slot == EMPTY) return AL_MARK_NEW;
        if (!(slot & CHAIN)) {
            if (slot == INSIDE || start % GRANULE) return AL_MARK_OVERLAP;
            *serial = slot - BEGINS(0);
            return AL_MARK_SEEN;
        }
        chain = slot & ~CHAIN;
    }
    const al_interval *found = holder(marks, chain, start);
    if (!found) return AL_MARK_NEW;
    if (found->start != start) return AL_MARK_OVERLAP;
    *serial = found->serial;
    return AL_MARK_SEEN;
}

al_mark_result al_marks_visit(al_marks *marks, uintptr_t start, uintptr_t end, uint32_t *serial) {
    al_page *page = page_of(marks, start);
    if (AL_LIKELY(page != NULL)) {
        if (AL_LIKELY(page->slots && !((start | end) % GRANULE) && (end - 1) >> PAGE_SHIFT == page->number)) {
            /* Whole granules of one page, as small nodes mostly are. */
            uint32_t *slot = &page->slots[start % PAGE / GRANULE];
            if (*slot == EMPTY) {
                for (size_t i = 1; i < (end - start) / GRANULE; i++) {
                    if (slot[i] != EMPTY) return AL_MARK_OVERLAP;
                    slot[i] = INSIDE;
                }
                *slot = BEGINS(*serial);
                return AL_MARK_NEW;
            }
        }
        al_mark_result result = look(marks, page, start, serial);
        if (result != AL_MARK_NEW) return result;
    }
    for (uintptr_t number = start >> PAGE_SHIFT; number <= (end - 1) >> PAGE_SHIFT; number++) {
        al_mark_result result = mark_page(marks, number, start, end, *serial);
        if (result != AL_MARK_NEW) return result;
    }
    return AL_MARK_NEW;
}

void al_marks_prefetch(const al_marks *marks, uintptr_t address) {
    const al_page *page = find(marks->pages, marks->page_room, address >> PAGE_SHIFT);
    if (page->slots) AL_PREFETCH(&page->slots[address % PAGE / GRANULE]);
}

bool al_marks_cover(al_marks *marks, uintptr_t address) {
    uint32_t serial;
    al_page *page = page_of(marks, address);
    return page && look(marks, page, address, &serial) != AL_MARK_NEW;
}
