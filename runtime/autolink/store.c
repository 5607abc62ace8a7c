/* Containers that grow by chunks: nothing is copied, and little is allocated that is not used. */
#include "internal.h"

void *al_vector_grow(al_vector *vector) {
    size_t chunk = vector->count >> AL_CHUNK_SHIFT;
    if (chunk == vector->room) {
        size_t room = chunk ? 2 * chunk : 8;
        char **chunks = AL_MALLOC(room * sizeof *chunks);
        if (!chunks) return NULL;
        if (chunk) memcpy(chunks, vector->chunks, chunk * sizeof *chunks);
        AL_FREE(vector->chunks);
        vector->chunks = chunks;
        vector->room = room;
    }
    vector->chunks[chunk] = AL_MALLOC(AL_CHUNK * vector->item);
    if (!vector->chunks[chunk]) return NULL;
    return al_vector_at(vector, vector->count++);
}

void al_vector_free(al_vector *vector) {
    for (size_t chunk = 0; chunk << AL_CHUNK_SHIFT < vector->count; chunk++) AL_FREE(vector->chunks[chunk]);
    AL_FREE(vector->chunks);
    vector->chunks = NULL;
    vector->count = vector->room = 0;
}

struct al_queue_chunk {
    al_queue_chunk *next;
    _Alignas(16) char items[];
};

bool al_queue_grow(al_queue *queue) {
    al_queue_chunk *chunk = queue->spare;
    queue->spare = NULL;
    if (!chunk) chunk = AL_MALLOC(sizeof *chunk + AL_CHUNK * queue->item);
    if (!chunk) return false;
    chunk->next = NULL;
    queue->end = chunk->items;
    queue->room = chunk->items + AL_CHUNK * queue->item;
    if (queue->tail) {
        queue->tail->next = chunk;
    } else {
        queue->head = chunk;
        queue->first = queue->end;
        queue->first_end = queue->room;
    }
    queue->tail = chunk;
    return true;
}

/* The first chunk is used up, and there is another. */
void al_queue_drop(al_queue *queue) {
    al_queue_chunk *chunk = queue->head;
    queue->head = chunk->next;
    queue->first = queue->head->items;
    queue->first_end = queue->first + AL_CHUNK * queue->item;
    AL_FREE(queue->spare);
    queue->spare = chunk;
}

void al_queue_free(al_queue *queue) {
    for (al_queue_chunk *chunk = queue->head, *next; chunk; chunk = next) {
        next = chunk->next;
        AL_FREE(chunk);
    }
    AL_FREE(queue->spare);
    memset(queue, 0, sizeof *queue);
}

bool al_length_add(al_vector *lengths, uint32_t label, uint64_t count) {
    al_length *length = al_vector_push(lengths);
    if (!length) return false;
    *length = (al_length){label, count};
    return true;
}

/* Labels ascend, as blocks are added in the order of their labels. */
uint64_t al_length_of(const al_vector *lengths, uint32_t label) {
    size_t low = 0, high = lengths->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const al_length *length = al_vector_at(lengths, middle);
        if (length->label == label) return length->count;
        if (length->label < label) low = middle + 1;
        else high = middle;
    }
    return 1;
}
