/* anything.h says what this checks; a target of fuzz/ calls it with any bytes, and `anything [rounds]` with changed ones. Meant for
 * sanitizers; needs no MPI_Init. */
#include "anything.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../transfer.h"
#include "same.h"
#include "shapes.h"

static long live;

/* A count may ask for anything. */
void *al_test_malloc(size_t size) {
    void *block = size > (size_t)1 << 20 ? NULL : malloc(size);
    if (block) live++;
    return block;
}

void al_test_free(void *block) {
    if (block) live--;
    free(block);
}

#define MUST(CONDITION) \
    do { \
        if (!(CONDITION)) { \
            fprintf(stderr, "%s:%d: not true: %s (%s)\n", __FILE__, __LINE__, #CONDITION, AL_Error_message()); \
            abort(); \
        } \
    } while (0)

static void read_stream(const al_plan *plan, const AL_Type *type, uint32_t label, const unsigned char *bytes, size_t length) {
    al_decoder decoder;
    int result = al_decoder_init(&decoder, plan, label);
    while (result == AL_SUCCESS && !decoder.finished && length > 2) {
        size_t packet_length = (size_t)bytes[0] | (size_t)bytes[1] << 8;
        bytes += 2, length -= 2;
        if (packet_length > length) packet_length = length;
        if (packet_length == 0) continue; /* no packet of MPI that is counted as one is empty */
        /* A block of its own length: reading beyond it is seen. */
        char *packet = malloc(packet_length);
        MUST(packet);
        memcpy(packet, bytes, packet_length);
        result = al_decode(&decoder, packet, packet_length);
        free(packet);
        bytes += packet_length, length -= packet_length;
    }
    bool is_whole = result == AL_SUCCESS && decoder.finished;
    MUST(result == AL_SUCCESS || result == AL_ERR_STREAM || result == AL_ERR_COUNT || result == AL_ERR_MEMORY);
    void *root = is_whole ? decoder.root : NULL;
    al_decoder_free(&decoder, !is_whole);
    if (!is_whole) return;
    void *copy;
    MUST(AL_Copy(root, &copy, type) == AL_SUCCESS);
    MUST(same(root, copy, type));
    MUST(AL_Free(copy, type) == AL_SUCCESS);
    MUST(AL_Free(root, type) == AL_SUCCESS);
}

static void read_head(const al_plan *plan, uint32_t label, const unsigned char *bytes, size_t length) {
    char *packet = malloc(length ? length : 1);
    MUST(packet);
    if (length) memcpy(packet, bytes, length);
    al_head read;
    int result = al_head_check(packet, length, plan, label, &read);
    MUST(result == AL_SUCCESS || result == AL_ERR_STREAM || result == AL_ERR_LAYOUT || result == AL_ERR_TYPE);
    MUST(result != AL_SUCCESS || length >= sizeof read);
    free(packet);
}

void al_receive_anything(const unsigned char *bytes, size_t length) {
    if (length == 0) return;
    const AL_Type *roots[] = {&shapes[SQUARE], &shapes[CIRCLE], &shapes[TRIANGLE], &shapes[ITEM], &shapes[BAG], &vertex_type};
    const AL_Type *type = roots[(bytes[0] >> 1) % 6];
    long before = live;
    al_plan *plan;
    uint32_t label;
    MUST(al_label(type, &label) == AL_SUCCESS);
    MUST(al_plan_make(type->schema, &plan) == AL_SUCCESS);
    if (bytes[0] & 1) read_head(plan, label, bytes + 1, length - 1);
    else read_stream(plan, type, label, bytes + 1, length - 1);
    al_plan_free(plan);
    MUST(live == before);
}

#ifndef AL_NO_MAIN
#define LONGEST ((size_t)1 << 16)

/* What al_receive_anything takes for a structure; its length. */
static size_t write_input(unsigned char *input, const Random *random, size_t capacity) {
    static const int labels[] = {SQUARE, CIRCLE, TRIANGLE, ITEM, BAG};
    size_t root = 5;
    for (size_t i = 0; i < 5; i++)
        if (random->type == &shapes[labels[i]]) root = i;
    al_plan *plan;
    al_encoder encoder;
    size_t length = 0;
    input[length++] = (unsigned char)(2 * root);
    MUST(al_plan_make(random->type->schema, &plan) == AL_SUCCESS);
    MUST(al_encoder_init(&encoder, plan, random->root, (uint32_t)random->label, 0) == AL_SUCCESS);
    while (!encoder.finished && length + 2 + capacity <= LONGEST) {
        size_t used;
        MUST(al_encode(&encoder, (char *)input + length + 2, capacity, &used) == AL_SUCCESS);
        input[length] = (unsigned char)used, input[length + 1] = (unsigned char)(used >> 8);
        length += 2 + used;
    }
    al_encoder_free(&encoder);
    al_plan_free(plan);
    return length;
}

static size_t change(unsigned char *input, size_t length, uint64_t *state) {
    static const uint32_t values[] = {0, 1, 2, 3, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe};
    size_t at = random_below(state, (uint32_t)length);
    size_t room = length - at;
    switch (random_below(state, 7)) {
    case 0: input[at] ^= (unsigned char)(1 << random_below(state, 8)); return length;
    case 1: input[at] = (unsigned char)random_below(state, 256); return length;
    case 2: return at ? at : 1;
    case 3: {
        size_t part = random_below(state, (uint32_t)(room < 40 ? room : 40) + 1);
        memmove(input + at, input + at + part, room - part);
        return length - part ? length - part : 1;
    }
    case 4: {
        size_t part = random_below(state, (uint32_t)(room < 40 ? room : 40) + 1);
        if (length + part > LONGEST) return length;
        memmove(input + at + part, input + at, room);
        return length + part;
    }
    default: {
        uint32_t value = random_below(state, 2) ? values[random_below(state, 9)] : random_below(state, 40);
        if (room >= sizeof value) memcpy(input + at, &value, sizeof value);
        return length;
    }
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    uint64_t state = 11;
    unsigned char *input = malloc(LONGEST), *changed = malloc(LONGEST);
    MUST(input && changed);
    for (int round = 0; round < rounds; round++) {
        Random random = round % 8 == 7 ? make_vertices((uint64_t)round, random_below(&state, 60))
                                       : make_random((uint64_t)round, random_below(&state, 12));
        size_t length = write_input(input, &random, 64 + random_below(&state, 4000));
        free_random(&random);
        al_receive_anything(input, length);
        for (int i = 0; i < 20; i++) {
            memcpy(changed, input, length);
            size_t now = length;
            for (uint32_t n = 0; n <= random_below(&state, 4); n++) now = change(changed, now, &state);
            al_receive_anything(changed, now);
        }
    }
    free(input);
    free(changed);
    return 0;
}
#endif
