/* The decoder against streams that nobody sent: `streams [rounds]`. Packets of random structures are read back, in packets of
 * any size; then they are changed and read again. Whatever comes out must be a structure, or an error with everything
 * freed. Meant for sanitizers; needs no MPI_Init. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../transfer.h"
#define CHECK_WITHOUT_MPI
#include "check.h"
#include "same.h"
#include "shapes.h"

static long live;

/* A count that was changed may ask for anything. */
void *al_test_malloc(size_t size) {
    void *block = size > (size_t)16 << 20 ? NULL : malloc(size);
    if (block) live++;
    return block;
}

void al_test_free(void *block) {
    if (block) live--;
    free(block);
}

typedef struct {
    char *bytes;
    size_t length;
} Packet;

typedef struct {
    Packet *packets;
    size_t count;
} Stream;

static void add(Stream *stream, const char *bytes, size_t length) {
    stream->packets = realloc(stream->packets, (stream->count + 1) * sizeof *stream->packets);
    /* A block of its own length: reading beyond it is seen. */
    char *copy = malloc(length ? length : 1);
    if (!stream->packets || !copy) abort();
    memcpy(copy, bytes, length);
    stream->packets[stream->count++] = (Packet){copy, length};
}

static void drop(Stream *stream) {
    for (size_t i = 0; i < stream->count; i++) free(stream->packets[i].bytes);
    free(stream->packets);
    *stream = (Stream){0};
}

static Stream encode(const al_plan *plan, const Random *random, size_t capacity) {
    /* What would be sent may have no byte that is undefined: valgrind looks at what is written. */
    FILE *nowhere = fopen("/dev/null", "wb");
    char *packet = malloc(capacity);
    if (!packet || !nowhere) abort();
    Stream stream = {0};
    al_encoder encoder;
    SUCCEEDS(al_encoder_init(&encoder, plan, random->root, (uint32_t)random->label, 0));
    while (!encoder.finished) {
        size_t used;
        SUCCEEDS(al_encode(&encoder, packet, capacity, &used));
        CHECK(used > 0 && used <= capacity);
        CHECK(fwrite(packet, 1, used, nowhere) == used);
        add(&stream, packet, used);
    }
    al_encoder_free(&encoder);
    fclose(nowhere);
    free(packet);
    return stream;
}

/* Reads a stream. What is returned is freed by AL_Free. */
static int decode(const al_plan *plan, const Stream *stream, int label, void **root) {
    al_decoder decoder;
    int result = al_decoder_init(&decoder, plan, (uint32_t)label);
    for (size_t i = 0; i < stream->count && result == AL_SUCCESS; i++)
        result = al_decode(&decoder, stream->packets[i].bytes, stream->packets[i].length);
    if (result == AL_SUCCESS && !decoder.finished) result = AL_ERR_STREAM;
    *root = result == AL_SUCCESS ? decoder.root : NULL;
    al_decoder_free(&decoder, result != AL_SUCCESS);
    return result;
}

static void change(Stream *stream, uint64_t *state) {
    static const uint32_t values[] = {0, 1, 2, 3, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe};
    Packet *packet = &stream->packets[random_below(state, (uint32_t)stream->count)];
    size_t at = random_below(state, (uint32_t)packet->length);
    switch (random_below(state, 8)) {
    case 0: packet->bytes[at] ^= (char)(1 << random_below(state, 8)); break;
    case 1: packet->bytes[at] = (char)random_below(state, 256); break;
    case 2: packet->length = at; break;
    case 3: {
        /* One packet less, or the same one twice. */
        Packet other = stream->packets[random_below(state, (uint32_t)stream->count)];
        char *copy = malloc(other.length ? other.length : 1);
        if (!copy) abort();
        memcpy(copy, other.bytes, other.length);
        free(packet->bytes);
        *packet = (Packet){copy, other.length};
        break;
    }
    case 4: memmove(packet->bytes, packet->bytes + at, packet->length - at), packet->length -= at; break;
    default:
        /* Labels, counts and lengths, mostly small ones. */
        for (int i = 0; i < 4; i++) {
            uint32_t value = random_below(state, 2) ? values[random_below(state, 8)] : random_below(state, 40);
            if (packet->length < sizeof value) return;
            at = random_below(state, (uint32_t)(packet->length - sizeof value + 1));
            memcpy(packet->bytes + (random_below(state, 4) ? at / 4 * 4 : at), &value, sizeof value);
        }
    }
}

static void read_changed(const al_plan *plan, const Random *random, uint64_t *state, int changes, int *survivors) {
    Stream stream = encode(plan, random, 64 + random_below(state, 5000));
    for (int i = 0; i < changes; i++) {
        if (stream.packets[0].length) change(&stream, state);
        for (size_t p = 0; p < stream.count; p++) {
            if (stream.packets[p].length == 0) stream.packets[p].length = 1, stream.packets[p].bytes[0] = 0;
        }
    }
    void *root;
    long before = live;
    int result = decode(plan, &stream, random->label, &root);
    if (result == AL_SUCCESS) {
        void *copy;
        ++*survivors;
        SUCCEEDS(AL_Copy(root, &copy, random->type));
        CHECK(same(root, copy, random->type));
        SUCCEEDS(AL_Free(copy, random->type));
        SUCCEEDS(AL_Free(root, random->type));
    } else {
        CHECK(result == AL_ERR_STREAM || result == AL_ERR_COUNT || result == AL_ERR_MEMORY);
    }
    CHECK(live == before);
    drop(&stream);
}

/* First packets of other programs. */
static void heads(const al_plan *plan, uint64_t *state) {
    al_head head = al_head_of(plan, SQUARE, 0, (al_lead){AL_LAST, 4}), read;
    char bytes[sizeof head + 4] = {0};
    memcpy(bytes, &head, sizeof head);
    SUCCEEDS(al_head_check(bytes, sizeof bytes, plan, SQUARE, &read));
    FAILS(AL_ERR_TYPE, al_head_check(bytes, sizeof bytes, plan, BAG, &read));
    for (int i = 0; i < 2000; i++) {
        char changed[sizeof bytes];
        memcpy(changed, bytes, sizeof bytes);
        changed[random_below(state, sizeof head)] ^= (char)(1 << random_below(state, 8));
        size_t length = random_below(state, 2) ? sizeof bytes : random_below(state, sizeof bytes);
        int result = al_head_check(changed, length, plan, SQUARE, &read);
        CHECK(result != AL_SUCCESS || length == sizeof bytes);
        CHECK(result == AL_SUCCESS || result == AL_ERR_STREAM || result == AL_ERR_LAYOUT || result == AL_ERR_TYPE);
        CHECK(result == AL_ERR_TYPE || result == AL_SUCCESS || read.lead.flags & AL_LAST);
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1000;
    uint64_t state = 7;
    al_plan *plan;
    SUCCEEDS(al_plan_make(shapes[0].schema, &plan));
    heads(plan, &state);
    al_plan_free(plan);
    int survivors = 0, changed = 0;
    for (int round = 0; round < rounds; round++) {
        /* One of a hundred has so many nodes that both sides look ahead. */
        Random random = round % 100 == 99 ? make_vertices((uint64_t)round, 40000)
                                          : make_random((uint64_t)round, random_below(&state, round % 10 ? 4 : 30));
        SUCCEEDS(al_plan_make(random.type->schema, &plan));
        int none = 0;
        read_changed(plan, &random, &state, 0, &none);
        CHECK(none == 1);
        Stream stream = encode(plan, &random, 64 + random_below(&state, 100));
        void *root;
        SUCCEEDS(decode(plan, &stream, random.label, &root));
        CHECK(same(random.root, root, random.type));
        SUCCEEDS(AL_Free(root, random.type));
        drop(&stream);
        for (int i = 0; i < 10; i++, changed++) read_changed(plan, &random, &state, 1 + i % 3, &survivors);
        free_random(&random);
        al_plan_free(plan);
    }
    /* Some changes are to plain data; most of them are not. */
    CHECK(rounds < 50 || (survivors > 0 && survivors < changed));
    CHECK(live == 0);
    return report();
}
