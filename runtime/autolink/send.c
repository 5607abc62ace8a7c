/* The sender's side: packets are filled while earlier ones travel. */
#include <stdio.h>
#include <string.h>

#include "transfer.h"

/* The bytes of the packet under construction. */
typedef struct {
    char *buffer;
    size_t head, capacity;
} packet;

static packet packet_at(const struct AL_Transfer *t) {
    if (t->packets == 0) return (packet){t->buffers[0], sizeof(al_head), AL_FIRST_BYTES};
    /* The first ones are small, so that the receiver soon has something to do. */
    size_t capacity = t->packets < 16 ? (size_t)AL_FIRST_BYTES << t->packets : al_state.packet_bytes;
    if (capacity > al_state.packet_bytes) capacity = al_state.packet_bytes;
    return (packet){t->buffers[t->slot], sizeof(al_lead), capacity};
}

static int post(struct AL_Transfer *t, packet p, uint32_t flags, size_t length) {
    al_lead lead = {flags, (uint32_t)length};
    int bytes = (int)(p.head + length);
    MPI_Request *request = &t->requests[t->slot];
    if (t->packets == 0) {
        al_head head = al_head_of(t->plan, t->label, t->packet_tag, lead);
        memcpy(p.buffer, &head, sizeof head);
        AL_MPI(MPI_Isend(p.buffer, bytes, MPI_BYTE, t->peer, t->tag, t->comm, request), "MPI_Isend");
    } else {
        memcpy(p.buffer, &lead, sizeof lead);
        AL_MPI(MPI_Isend(p.buffer, bytes, MPI_BYTE, t->world_peer, t->packet_tag, al_state.comm, request), "MPI_Isend");
    }
    t->packets++;
    t->slot = t->slot + 1 < AL_SLOTS ? t->slot + 1 : 1;
    t->posted_all = flags & (AL_LAST | AL_ABORT);
    if (t->posted_all) al_encoder_free(&t->encoder);
    return AL_SUCCESS;
}

/* Tells the receiver why nothing more comes. The message fits into the buffer of the first packet. */
static int post_abort(struct AL_Transfer *t) {
    packet p = {t->buffers[0], t->packets == 0 ? sizeof(al_head) : sizeof(al_lead), AL_FIRST_BYTES};
    size_t length = strlen(t->message);
    memcpy(p.buffer + p.head, t->message, length);
    return post(t, p, AL_ABORT, length);
}

int al_send_step(struct AL_Transfer *t, bool wait) {
    while (!t->done) {
        bool complete = true;
        if (t->posted_all) {
            for (int i = 0; i < AL_SLOTS; i++) {
                int result = al_await(&t->requests[i], wait, &complete, MPI_STATUS_IGNORE);
                if (result != AL_SUCCESS || !complete) return result;
            }
            t->done = true;
            return AL_SUCCESS;
        }
        if (t->result != AL_SUCCESS) t->slot = 0;
        int result = al_await(&t->requests[t->slot], wait, &complete, MPI_STATUS_IGNORE);
        if (result != AL_SUCCESS || !complete) return result;
        if (t->result == AL_SUCCESS && !t->buffers[t->slot]) {
            t->buffers[t->slot] = AL_MALLOC(al_state.packet_bytes);
            if (!t->buffers[t->slot]) al_transfer_fail(t, al_no_memory(al_state.packet_bytes));
        }
        size_t used = 0;
        packet p = packet_at(t);
        if (t->result == AL_SUCCESS) {
            result = al_encode(&t->encoder, p.buffer + p.head, p.capacity - p.head, &used);
            if (result != AL_SUCCESS) al_transfer_fail(t, result);
        }
        if (t->result == AL_SUCCESS) {
            result = post(t, p, t->encoder.finished ? AL_LAST : 0, used);
            if (result != AL_SUCCESS) return result;
        } else if (t->slot == 0) {
            result = post_abort(t);
            if (result != AL_SUCCESS) return result;
        }
    }
    return AL_SUCCESS;
}
