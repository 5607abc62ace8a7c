/* The marks of visited memory against a list of blocks: `marks [trials]`. No memory is touched, so that blocks may lie anywhere.
 * A trial ends with the first overlap, as the marks do. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../marks.h"
#define CHECK_WITHOUT_MPI
#include "check.h"

enum { MOST_BLOCKS = 600, VISITS = 2000 };

typedef struct {
    uintptr_t start, end;
} Block;

static Block blocks[MOST_BLOCKS];
static uint32_t block_count;
static uint64_t state;

static uint64_t below(uint64_t limit) {
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (state >> 20) % limit;
}

static bool covers(uintptr_t address) {
    for (uint32_t i = 0; i < block_count; i++)
        if (blocks[i].start <= address && address < blocks[i].end) return true;
    return false;
}

static al_mark_result expected(uintptr_t start, uintptr_t end, uint32_t *serial) {
    bool meets = false;
    for (uint32_t i = 0; i < block_count; i++) {
        if (blocks[i].start == start) return *serial = i, AL_MARK_SEEN;
        if (blocks[i].start < end && start < blocks[i].end) meets = true;
    }
    return meets ? AL_MARK_OVERLAP : AL_MARK_NEW;
}

/* As the encoder does it: quickly, if that can be. */
static al_mark_result visit(al_marks *marks, uintptr_t start, uintptr_t end, uint32_t *serial, bool *was_quick) {
    al_shape shape = al_shape_of(end - start);
    bool is_new;
    *was_quick = al_marks_visit_quickly(marks, start, shape, serial, &is_new);
    if (*was_quick) return is_new ? AL_MARK_NEW : AL_MARK_SEEN;
    return al_marks_visit(marks, start, end, serial);
}

static const uintptr_t alignments[] = {1, 2, 4, 8, 8, 16, 16, 64}, units[] = {1, 4, 8, 8, 8, 24, 40, 4096};

/* One trial: where blocks may begin, how long they are at most in units, and whether all of them are aligned alike. Returns how many
 * visits were quick. */
static long try_blocks(uintptr_t base, uintptr_t extent, uint64_t longest, bool are_alike, long *overlaps) {
    al_marks marks;
    if (!al_marks_init(&marks, (size_t)below(2) * 100000)) abort();
    block_count = 0;
    long quick = 0;
    bool over = false;
    uintptr_t alignment = alignments[below(8)], unit = units[below(8)];
    for (int i = 0; i < VISITS && block_count < MOST_BLOCKS && !over; i++) {
        if (!are_alike) alignment = alignments[below(8)], unit = units[below(7)];
        uintptr_t start = base + below(extent) / alignment * alignment, end = start + unit * (1 + below(longest));
        if (end < start) continue;
        if (block_count && below(3) == 0) start = blocks[below(block_count)].start, end = start + unit;
        uint32_t right = block_count, serial = block_count;
        al_mark_result wanted = expected(start, end, &right);
        /* Mostly, what would end the trial is left out. */
        if (wanted == AL_MARK_OVERLAP && below(60)) continue;
        bool was_quick;
        al_mark_result result = visit(&marks, start, end, &serial, &was_quick);
        CHECK(result == wanted);
        CHECK(result != AL_MARK_SEEN || serial == right);
        quick += was_quick;
        if (result == AL_MARK_NEW) blocks[block_count++] = (Block){start, end};
        over = result == AL_MARK_OVERLAP;
        *overlaps += over;
        uintptr_t anywhere = block_count && below(2) ? blocks[below(block_count)].start + below(24) : base + below(extent);
        if (!over) CHECK(al_marks_cover(&marks, anywhere) == covers(anywhere));
    }
    al_marks_free(&marks);
    return quick;
}

int main(int argc, char **argv) {
    int trials = argc > 1 ? atoi(argv[1]) : 1000;
    long quick = 0, overlaps = 0;
    for (int trial = 0; trial < trials && !check_failures; trial++) {
        state = (uint64_t)trial;
        below(2);
        const uintptr_t bases[] = {4096, (uintptr_t)1 << 30, UINTPTR_MAX / 3, UINTPTR_MAX - 200000};
        quick += try_blocks(bases[below(4)], 500 << below(9), 1 + below(12), below(2), &overlaps);
    }
    /* What is tried must happen. */
    CHECK(trials < 100 || (quick > 10L * trials && overlaps > trials / 10));
    return report();
}
