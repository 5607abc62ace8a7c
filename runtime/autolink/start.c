/* AL_Init and AL_Finalize, and the first packets' heads. */
#include <stdio.h>
#include <string.h>

#include "transfer.h"

/* What MPI libraries send at once, without asking the receiver first. */
#define DEFAULT_PACKET ((size_t)8 << 10)
#define LEAST_PACKET ((size_t)AL_FIRST_BYTES)
#define LARGEST_PACKET ((size_t)1 << 30)

al_process al_state;

static int start(const AL_Options *options) {
    size_t wanted = options && options->packet_bytes ? options->packet_bytes : DEFAULT_PACKET;
    if (wanted < LEAST_PACKET) wanted = LEAST_PACKET;
    if (wanted > LARGEST_PACKET) wanted = LARGEST_PACKET;
    unsigned long mine = (unsigned long)wanted, least = 0;
    AL_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &al_state.comm), "MPI_Comm_dup");
    AL_MPI(MPI_Comm_set_errhandler(al_state.comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    AL_MPI(MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG, MPI_MIN, al_state.comm), "MPI_Allreduce");
    al_state.packet_bytes = (size_t)least;
    al_state.expected_nodes = options ? options->expected_nodes : 0;
    int *last_tag, found;
    AL_MPI(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &last_tag, &found), "MPI_Comm_get_attr");
    al_state.last_tag = found ? *last_tag : 32767;
    /* One for all: a process alone must not begin. */
    al_state.reserve = AL_MALLOC(al_state.packet_bytes);
    int have = al_state.reserve != NULL, all_have = 0;
    AL_MPI(MPI_Allreduce(&have, &all_have, 1, MPI_INT, MPI_MIN, al_state.comm), "MPI_Allreduce");
    return all_have ? AL_SUCCESS : al_no_memory(al_state.packet_bytes);
}

static void forget(void) {
    AL_FREE(al_state.reserve);
    memset(&al_state, 0, sizeof al_state);
}

int AL_Init(const AL_Options *options) {
    if (al_state.ready) return al_fail(AL_ERR_INIT, "AL_Init was called before");
    int initialized = 0, finalized = 0;
    AL_MPI(MPI_Initialized(&initialized), "MPI_Initialized");
    AL_MPI(MPI_Finalized(&finalized), "MPI_Finalized");
    if (finalized) return al_fail(AL_ERR_INIT, "MPI_Finalize was called before AL_Init");
    if (!initialized) AL_MPI(MPI_Init(NULL, NULL), "MPI_Init");
    al_state.owns_mpi = !initialized;
    al_state.comm = MPI_COMM_NULL;
    int result = start(options);
    if (result == AL_SUCCESS) {
        al_state.ready = true;
        return AL_SUCCESS;
    }
    if (al_state.comm != MPI_COMM_NULL) MPI_Comm_free(&al_state.comm);
    /* MPI stays initialised: it cannot be begun a second time. */
    forget();
    return result;
}

int AL_Finalize(void) {
    if (!al_state.ready) return al_fail(AL_ERR_INIT, "AL_Init was not called");
    if (al_state.transfers) return al_fail(AL_ERR_PENDING, "transfers are still under way: call AL_Wait for each request");
    int finalized = 0;
    AL_MPI(MPI_Finalized(&finalized), "MPI_Finalized");
    bool owns_mpi = al_state.owns_mpi;
    MPI_Comm comm = al_state.comm;
    forget();
    if (finalized) return al_fail(AL_ERR_INIT, "MPI_Finalize was called before AL_Finalize");
    AL_MPI(MPI_Comm_free(&comm), "MPI_Comm_free");
    if (owns_mpi) AL_MPI(MPI_Finalize(), "MPI_Finalize");
    return AL_SUCCESS;
}

al_head al_head_of(const al_plan *plan, uint32_t label, int tag, al_lead lead) {
    return (al_head){
        .magic = AL_MAGIC,
        .order = AL_ORDER,
        .fingerprint = plan ? plan->fingerprint : 0,
        .type = label,
        .tag = tag,
        .lead = lead,
    };
}

int al_head_check(const char *packet, size_t length, const al_plan *plan, uint32_t label, al_head *head) {
    bool is_ours = length >= sizeof *head;
    if (is_ours) {
        memcpy(head, packet, sizeof *head);
        is_ours = memcmp(head->magic, AL_MAGIC, sizeof head->magic) == 0;
    }
    if (is_ours && head->order != AL_ORDER) {
        head->lead = (al_lead){AL_LAST, 0};
        return al_fail(AL_ERR_LAYOUT, "the sender has another byte order");
    }
    if (!is_ours || head->lead.length != length - sizeof *head || head->tag < 0 || head->tag > al_state.last_tag) {
        head->lead = (al_lead){AL_LAST, 0};
        return al_fail(AL_ERR_STREAM, "malformed stream: a message that is not AutoLink's");
    }
    if (!plan || head->lead.flags & AL_ABORT) return AL_SUCCESS;
    if (head->fingerprint != plan->fingerprint)
        return al_fail(AL_ERR_LAYOUT, "the sender describes its structs otherwise: build all programs from one al_routines.c, for one ABI");
    if (head->type != label)
        return al_fail(AL_ERR_TYPE, "the sender's structure begins with %s, not with %s",
                       head->type < plan->type_count ? plan->types[head->type].name : "something unknown",
                       plan->types[label].name);
    return AL_SUCCESS;
}

int al_remote(const char *text, size_t length) {
    char message[AL_MESSAGE_BYTES];
    int most = length < sizeof message - 1 ? (int)length : (int)sizeof message - 1;
    snprintf(message, sizeof message, "%.*s", most, text);
    return al_fail(AL_ERR_REMOTE, "the sender gave up: %.290s", message);
}
