/* The receiver's side: a packet is read while the next one travels. A receive that failed goes on to get rid of the
 * packets that are still to come, so that the sender is not left waiting. */
#include <string.h>

#include "transfer.h"

/* Buffers for the packets after the first. Without memory for both of them the receive fails, and has one at least, or
 * waits for the process's reserve. */
static void get_buffers(struct AL_Transfer *t) {
    for (int slot = 1; slot <= 2 && t->result == AL_SUCCESS; slot++) {
        if (!t->buffers[slot]) t->buffers[slot] = AL_MALLOC(al_state.packet_bytes);
        if (!t->buffers[slot]) al_transfer_fail(t, al_no_memory(al_state.packet_bytes));
    }
    if (!t->buffers[1] && !al_state.reserve_used) {
        t->buffers[1] = al_state.reserve;
        t->uses_reserve = al_state.reserve_used = true;
    }
    t->waits_for_buffer = !t->buffers[1];
}

/* Posts the receive of the next packet: into the other buffer, as this one is still to be read. */
static int post(struct AL_Transfer *t) {
    get_buffers(t);
    if (t->waits_for_buffer) return AL_SUCCESS;
    t->slot = t->slot == 1 && t->buffers[2] ? 2 : 1;
    AL_MPI(MPI_Irecv(t->buffers[t->slot], (int)al_state.packet_bytes, MPI_BYTE, t->world_peer, t->packet_tag, al_state.comm,
                     &t->requests[t->slot]),
           "MPI_Irecv");
    return AL_SUCCESS;
}

/* What arrived: the payload and its lead. */
typedef struct {
    const char *payload;
    al_lead lead;
} arrival;

/* Reads the head of the first packet. What makes it unreadable is the transfer's error. */
static int open_first(struct AL_Transfer *t, size_t length, arrival *arrived) {
    al_head head = {.lead = {AL_LAST, 0}};
    int result = al_head_check(t->first, length, t->plan, t->label, &head);
    if (result != AL_SUCCESS) al_transfer_fail(t, result);
    *arrived = (arrival){t->first + sizeof head, head.lead};
    if (head.lead.flags & (AL_LAST | AL_ABORT)) return AL_SUCCESS;
    t->packet_tag = head.tag;
    return al_world_rank(t->comm, t->status.MPI_SOURCE, &t->world_peer);
}

static void open_next(struct AL_Transfer *t, const char *packet, size_t length, arrival *arrived) {
    arrived->payload = packet + sizeof arrived->lead;
    arrived->lead = (al_lead){AL_LAST, 0};
    if (length >= sizeof arrived->lead) memcpy(&arrived->lead, packet, sizeof arrived->lead);
    if (length < sizeof arrived->lead || arrived->lead.length != length - sizeof arrived->lead) {
        arrived->lead.length = 0;
        al_transfer_fail(t, al_fail(AL_ERR_STREAM, "malformed stream: a packet of another length than it says"));
    }
}

static void finish(struct AL_Transfer *t) {
    if (t->result == AL_SUCCESS && !t->decoder.finished)
        al_transfer_fail(t, al_fail(AL_ERR_STREAM, "malformed stream: it ends too early"));
    const char *root = t->result == AL_SUCCESS ? t->decoder.root : NULL;
    memcpy(t->root, &root, sizeof root);
    al_decoder_free(&t->decoder, t->result != AL_SUCCESS);
    t->done = true;
}

int al_receive_step(struct AL_Transfer *t, bool wait) {
    while (!t->done) {
        if (t->waits_for_buffer) {
            int result = post(t);
            if (result != AL_SUCCESS || t->waits_for_buffer) return result;
        }
        bool complete;
        MPI_Status status;
        int result = al_await(&t->requests[t->slot], wait, &complete, &status);
        if (result != AL_SUCCESS || !complete) return result;
        int length = 0;
        AL_MPI(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
        arrival arrived;
        if (t->packets++ == 0) {
            t->status = status;
            result = open_first(t, (size_t)length, &arrived);
            if (result != AL_SUCCESS) return result;
        } else {
            open_next(t, t->buffers[t->slot], (size_t)length, &arrived);
        }
        bool is_last = arrived.lead.flags & (AL_LAST | AL_ABORT);
        if (!is_last) {
            result = post(t);
            if (result != AL_SUCCESS) return result;
        }
        if (t->result == AL_SUCCESS && arrived.lead.flags & AL_ABORT)
            al_transfer_fail(t, al_remote(arrived.payload, arrived.lead.length));
        if (t->result == AL_SUCCESS) {
            result = al_decode(&t->decoder, arrived.payload, arrived.lead.length);
            if (result != AL_SUCCESS) al_transfer_fail(t, result);
        }
        if (is_last) finish(t);
    }
    return AL_SUCCESS;
}
