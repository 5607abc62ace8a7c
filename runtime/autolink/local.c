/* What needs no message: deep copies, and freeing whole structures. */
#include <string.h>

#include "internal.h"

#define PACKET 16384

/* Plan and encoder for a structure, and a packet. */
typedef struct {
    al_plan *plan;
    uint32_t label;
    al_encoder encoder;
    char *packet;
} walk;

static void end_walk(walk *w) {
    al_encoder_free(&w->encoder);
    al_plan_free(w->plan);
    AL_FREE(w->packet);
}

static int begin_walk(walk *w, const void *root, const AL_Type *type) {
    memset(w, 0, sizeof *w);
    int result = al_label(type, &w->label);
    if (result == AL_SUCCESS) result = al_plan_make(type->schema, &w->plan);
    if (result == AL_SUCCESS) result = al_encoder_init(&w->encoder, w->plan, root, w->label, 0);
    if (result == AL_SUCCESS && !(w->packet = AL_MALLOC(PACKET))) result = al_no_memory(PACKET);
    if (result != AL_SUCCESS) end_walk(w);
    return result;
}

int AL_Copy(const void *root, void *copy, const AL_Type *type) {
    if (!copy) return al_fail(AL_ERR_ARG, "the address of the copy is NULL");
    const void *made = NULL;
    memcpy(copy, &made, sizeof made);
    walk w;
    int result = begin_walk(&w, root, type);
    if (result != AL_SUCCESS) return result;
    al_decoder decoder;
    result = al_decoder_init(&decoder, w.plan, w.label);
    while (result == AL_SUCCESS && !w.encoder.finished) {
        size_t used;
        result = al_encode(&w.encoder, w.packet, PACKET, &used);
        if (result == AL_SUCCESS) result = al_decode(&decoder, w.packet, used);
    }
    if (result == AL_SUCCESS) {
        made = decoder.root;
        memcpy(copy, &made, sizeof made);
    }
    al_decoder_free(&decoder, result != AL_SUCCESS);
    end_walk(&w);
    return result;
}

int AL_Free(void *root, const AL_Type *type) {
    walk w;
    int result = begin_walk(&w, root, type);
    if (result != AL_SUCCESS) return result;
    /* First find everything, then free it: if the search fails, nothing is lost. */
    al_vector addresses = {.item = sizeof(char *)};
    w.encoder.addresses = &addresses;
    while (result == AL_SUCCESS && !w.encoder.finished) {
        size_t used;
        result = al_encode(&w.encoder, w.packet, PACKET, &used);
    }
    for (size_t i = 0; result == AL_SUCCESS && i < addresses.count; i++) AL_FREE(*(char **)al_vector_at(&addresses, i));
    al_vector_free(&addresses);
    end_walk(&w);
    return result;
}
