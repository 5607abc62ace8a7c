/* Which strings were visited. They are known by their first character only: strings may overlap, as linkers let literals
 * that end alike. */
#include <string.h>

#include "internal.h"

static size_t slot_of(uintptr_t address, size_t room) {
    uint64_t mixed = (uint64_t)address * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (room - 1);
}

static al_string *probe(al_string *entries, size_t room, uintptr_t address) {
    size_t slot = slot_of(address, room);
    while (entries[slot].address && entries[slot].address != address) slot = (slot + 1) & (room - 1);
    return &entries[slot];
}

static bool grow(al_strings *strings) {
    size_t room = strings->room ? 2 * strings->room : 64;
    if (room > SIZE_MAX / sizeof(al_string)) return false;
    al_string *entries = AL_MALLOC(room * sizeof *entries);
    if (!entries) return false;
    memset(entries, 0, room * sizeof *entries);
    for (size_t i = 0; i < strings->room; i++) {
        al_string entry = strings->entries[i];
        if (entry.address) *probe(entries, room, entry.address) = entry;
    }
    AL_FREE(strings->entries);
    strings->entries = entries;
    strings->room = room;
    return true;
}

al_string *al_strings_find(al_strings *strings, uintptr_t address) {
    if (2 * strings->count >= strings->room && !grow(strings)) return NULL;
    return probe(strings->entries, strings->room, address);
}

void al_strings_free(al_strings *strings) {
    AL_FREE(strings->entries);
    memset(strings, 0, sizeof *strings);
}
