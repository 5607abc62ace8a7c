/* AL_Bcast: the packets of one traversal go to all processes of a communicator. All of them but the first have the full
 * length, as the others cannot know how much of it the root has used. */
#include <stdio.h>
#include <string.h>

#include "transfer.h"

#define BUFFERS 3

/* Packets of a broadcast that are on the way. */
typedef struct {
    MPI_Comm comm;
    int root;
    int failed; /* what failed first here; the packets go on to come, or end with the reason */
    char message[AL_MESSAGE_BYTES];
    size_t packets; /* posted so far */
    char *buffers[BUFFERS];
    MPI_Request requests[BUFFERS];
    bool uses_reserve; /* buffers[0] is al_state.reserve */
    _Alignas(16) char first[AL_FIRST_BYTES];
} broadcast;

static void begin(broadcast *b, int root, MPI_Comm comm) {
    memset(b, 0, offsetof(broadcast, first));
    b->comm = comm;
    b->root = root;
    for (int i = 0; i < BUFFERS; i++) b->requests[i] = MPI_REQUEST_NULL;
}

static void fail(broadcast *b, int error_class) {
    if (b->failed != AL_SUCCESS || error_class == AL_SUCCESS) return;
    b->failed = error_class;
    snprintf(b->message, sizeof b->message, "%s", AL_Error_message());
}

static void end(broadcast *b) {
    if (b->uses_reserve) {
        al_state.reserve_used = false;
        b->buffers[0] = NULL;
    }
    for (int i = 0; i < BUFFERS; i++) AL_FREE(b->buffers[i]);
}

/* A buffer for the next packet in *slot. Without memory that is a failure, and *slot becomes 0, which has one: its packet
 * was complete before, or it is the process's reserve. */
static int get_buffer(broadcast *b, int *slot) {
    if (!b->buffers[*slot] && b->failed == AL_SUCCESS) {
        b->buffers[*slot] = AL_MALLOC(al_state.packet_bytes);
        if (!b->buffers[*slot]) fail(b, al_no_memory(al_state.packet_bytes));
    }
    if (b->buffers[*slot]) return AL_SUCCESS;
    *slot = 0;
    int result = al_complete(&b->requests[0]);
    if (result != AL_SUCCESS || b->buffers[0]) return result;
    while (al_state.reserve_used) {
        /* A receive that failed has it, and gives it back when its sender is done. */
        MPI_Request none = MPI_REQUEST_NULL;
        result = al_complete(&none);
        if (result != AL_SUCCESS) return result;
    }
    b->buffers[0] = al_state.reserve;
    b->uses_reserve = al_state.reserve_used = true;
    return AL_SUCCESS;
}

static int post(broadcast *b, char *buffer, size_t bytes, int slot) {
    AL_MPI(MPI_Ibcast(buffer, (int)bytes, MPI_BYTE, b->root, b->comm, &b->requests[slot]), "MPI_Ibcast");
    b->packets++;
    return AL_SUCCESS;
}

/* Fills a packet: with the structure, or with the reason why there is no more of it. */
static al_lead fill(broadcast *b, al_encoder *encoder, char *payload, size_t capacity) {
    size_t used = 0;
    if (b->failed == AL_SUCCESS) fail(b, al_encode(encoder, payload, capacity, &used));
    if (b->failed != AL_SUCCESS) {
        used = strlen(b->message);
        memcpy(payload, b->message, used);
    }
    /* The rest of the packet travels too, and would be whatever was there. */
    memset(payload + used, 0, capacity - used);
    return (al_lead){b->failed != AL_SUCCESS ? AL_ABORT : encoder->finished ? AL_LAST : 0, (uint32_t)used};
}

/* The root's side. */
static int give(broadcast *b, al_encoder *encoder, const al_plan *plan, uint32_t label) {
    al_lead lead = fill(b, encoder, b->first + sizeof(al_head), AL_FIRST_BYTES - sizeof(al_head));
    al_head head = al_head_of(plan, label, 0, lead);
    memcpy(b->first, &head, sizeof head);
    MPI_Request first;
    AL_MPI(MPI_Ibcast(b->first, AL_FIRST_BYTES, MPI_BYTE, b->root, b->comm, &first), "MPI_Ibcast");
    while (!(lead.flags & (AL_LAST | AL_ABORT))) {
        int slot = (int)(b->packets % BUFFERS);
        int result = al_complete(&b->requests[slot]);
        if (result == AL_SUCCESS) result = get_buffer(b, &slot);
        if (result != AL_SUCCESS) return result;
        char *buffer = b->buffers[slot];
        lead = fill(b, encoder, buffer + sizeof lead, al_state.packet_bytes - sizeof lead);
        memcpy(buffer, &lead, sizeof lead);
        result = post(b, buffer, al_state.packet_bytes, slot);
        if (result != AL_SUCCESS) return result;
    }
    int result = al_complete(&first);
    for (int i = 0; i < BUFFERS && result == AL_SUCCESS; i++) result = al_complete(&b->requests[i]);
    return result;
}

/* The side of the others. */
static int take(broadcast *b, al_decoder *decoder, const al_plan *plan, uint32_t label) {
    int slot = 0;
    int result = post(b, b->first, AL_FIRST_BYTES, slot);
    if (result == AL_SUCCESS) result = al_complete(&b->requests[slot]);
    if (result != AL_SUCCESS) return result;
    al_head head;
    /* The packet has its full length: what it says of itself must fit. */
    memcpy(&head, b->first, sizeof head);
    size_t said = head.lead.length <= AL_FIRST_BYTES - sizeof head ? head.lead.length + sizeof head : 0;
    fail(b, al_head_check(b->first, said, b->failed == AL_SUCCESS ? plan : NULL, label, &head));
    const char *payload = b->first + sizeof head;
    al_lead lead = head.lead;
    for (;;) {
        bool is_last = lead.flags & (AL_LAST | AL_ABORT);
        if (!is_last) {
            /* With all well, the next packet travels while this one is read. */
            slot = b->failed == AL_SUCCESS && b->packets > 1 ? 1 - slot : 0;
            result = get_buffer(b, &slot);
            if (result == AL_SUCCESS) result = post(b, b->buffers[slot], al_state.packet_bytes, slot);
            if (result != AL_SUCCESS) return result;
        }
        if (b->failed == AL_SUCCESS)
            fail(b, lead.flags & AL_ABORT ? al_remote(payload, lead.length) : al_decode(decoder, payload, lead.length));
        if (is_last) break;
        result = al_complete(&b->requests[slot]);
        if (result != AL_SUCCESS) return result;
        memcpy(&lead, b->buffers[slot], sizeof lead);
        payload = b->buffers[slot] + sizeof lead;
        if (lead.length > al_state.packet_bytes - sizeof lead) {
            lead.length = 0;
            fail(b, al_fail(AL_ERR_STREAM, "malformed stream: a packet of another length than it says"));
        }
    }
    if (b->failed == AL_SUCCESS && !decoder->finished) fail(b, al_fail(AL_ERR_STREAM, "malformed stream: it ends too early"));
    return AL_SUCCESS;
}

int AL_Bcast(void *root, const AL_Type *type, int root_rank, MPI_Comm comm) {
    if (!al_state.ready) return al_fail(AL_ERR_INIT, "AL_Init was not called");
    if (!root || !type) return al_fail(AL_ERR_ARG, "the %s is NULL", root ? "type" : "address of the root");
    if (comm == MPI_COMM_NULL) return al_fail(AL_ERR_ARG, "the communicator is MPI_COMM_NULL");
    int is_inter = 0, size = 0, rank = 0;
    AL_MPI(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
    if (is_inter) return al_fail(AL_ERR_ARG, "AL_Bcast wants an intracommunicator");
    AL_MPI(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    AL_MPI(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    if (root_rank < 0 || root_rank >= size) return al_fail(AL_ERR_ARG, "the communicator has no rank %d", root_rank);
    broadcast b;
    begin(&b, root_rank, comm);
    al_plan *plan = NULL;
    uint32_t label = 0;
    fail(&b, al_label(type, &label));
    if (b.failed == AL_SUCCESS) fail(&b, al_plan_make(type->schema, &plan));
    const void *address = NULL;
    if (rank == root_rank) {
        memcpy(&address, root, sizeof address);
        al_encoder encoder = {0};
        if (b.failed == AL_SUCCESS) fail(&b, al_encoder_init(&encoder, plan, address, label, al_state.expected_nodes));
        fail(&b, give(&b, &encoder, plan, label));
        al_encoder_free(&encoder);
    } else {
        al_decoder decoder = {0};
        if (b.failed == AL_SUCCESS) fail(&b, al_decoder_init(&decoder, plan, label));
        fail(&b, take(&b, &decoder, plan, label));
        address = b.failed == AL_SUCCESS ? decoder.root : NULL;
        memcpy(root, &address, sizeof address);
        al_decoder_free(&decoder, b.failed != AL_SUCCESS);
    }
    end(&b);
    al_plan_free(plan);
    return b.failed == AL_SUCCESS ? AL_SUCCESS : al_fail_again(b.failed, b.message);
}
