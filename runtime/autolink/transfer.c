/* AL_Send, AL_Recv, and the requests. All transfers under way are in one list, and whoever waits gets on with all. */
#include <stdio.h>
#include <string.h>

#include "transfer.h"

void al_transfer_fail(struct AL_Transfer *t, int error_class) {
    if (t->result != AL_SUCCESS) return;
    t->result = error_class;
    snprintf(t->message, sizeof t->message, "%s", AL_Error_message());
    /* Memory is short, perhaps. */
    al_encoder_free(&t->encoder);
    al_decoder_free(&t->decoder, true);
}

int al_await(MPI_Request *request, bool wait, bool *complete, MPI_Status *status) {
    int flag = 1;
    if (wait) AL_MPI(MPI_Wait(request, status), "MPI_Wait");
    else AL_MPI(MPI_Test(request, &flag, status), "MPI_Test");
    *complete = flag;
    return AL_SUCCESS;
}

/* A transfer whose communication failed: nobody knows what is still in its buffers' way, so these stay. */
static void give_up(struct AL_Transfer *t, int error_class) {
    al_transfer_fail(t, error_class);
    for (int i = 0; i < AL_SLOTS; i++) {
        if (t->requests[i] == MPI_REQUEST_NULL) continue;
        if (!t->sends) MPI_Cancel(&t->requests[i]);
        MPI_Request_free(&t->requests[i]);
        t->buffers[i] = NULL;
    }
    if (!t->sends) {
        const void *nothing = NULL;
        memcpy(t->root, &nothing, sizeof nothing);
    }
    t->done = true;
}

static void step(struct AL_Transfer *t, bool wait) {
    if (t->done) return;
    int result = t->sends ? al_send_step(t, wait) : al_receive_step(t, wait);
    if (result != AL_SUCCESS) give_up(t, result);
}

static void step_all(void) {
    for (struct AL_Transfer *t = al_state.transfers; t; t = t->next) step(t, false);
}

int al_complete(MPI_Request *request) {
    bool complete = false;
    while (!complete) {
        step_all();
        int result = al_await(request, !al_state.transfers, &complete, MPI_STATUS_IGNORE);
        if (result != AL_SUCCESS) return result;
    }
    return AL_SUCCESS;
}

int al_world_rank(MPI_Comm comm, int rank, int *world) {
    int is_inter = 0, size = 0;
    if (comm == MPI_COMM_NULL) return al_fail(AL_ERR_ARG, "the communicator is MPI_COMM_NULL");
    AL_MPI(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
    if (is_inter) AL_MPI(MPI_Comm_remote_size(comm, &size), "MPI_Comm_remote_size");
    else AL_MPI(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    if (rank < 0 || rank >= size) return al_fail(AL_ERR_ARG, "the communicator has no rank %d", rank);
    *world = rank;
    if (comm == MPI_COMM_WORLD) return AL_SUCCESS;
    MPI_Group group, all;
    if (is_inter) AL_MPI(MPI_Comm_remote_group(comm, &group), "MPI_Comm_remote_group");
    else AL_MPI(MPI_Comm_group(comm, &group), "MPI_Comm_group");
    AL_MPI(MPI_Comm_group(al_state.comm, &all), "MPI_Comm_group");
    AL_MPI(MPI_Group_translate_ranks(group, 1, &rank, all, world), "MPI_Group_translate_ranks");
    AL_MPI(MPI_Group_free(&group), "MPI_Group_free");
    AL_MPI(MPI_Group_free(&all), "MPI_Group_free");
    if (*world == MPI_UNDEFINED) return al_fail(AL_ERR_ARG, "rank %d of the communicator is not in MPI_COMM_WORLD", rank);
    return AL_SUCCESS;
}

static int check_call(const AL_Type *type) {
    if (!al_state.ready) return al_fail(AL_ERR_INIT, "AL_Init was not called");
    if (!type) return al_fail(AL_ERR_ARG, "the type is NULL");
    return AL_SUCCESS;
}

static void set_up(struct AL_Transfer *t, bool sends, const AL_Type *type, int peer, int tag, MPI_Comm comm) {
    /* All but the bytes of the first packet. */
    memset(t, 0, offsetof(struct AL_Transfer, first));
    t->sends = sends;
    t->comm = comm;
    t->peer = peer;
    t->tag = tag;
    t->buffers[0] = t->first;
    for (int i = 0; i < AL_SLOTS; i++) t->requests[i] = MPI_REQUEST_NULL;
    int result = al_label(type, &t->label);
    if (result == AL_SUCCESS) result = al_plan_make(type->schema, &t->plan);
    if (result != AL_SUCCESS) al_transfer_fail(t, result);
}

/* Adds it at the end of the list: who came first is served first. */
static void start(struct AL_Transfer *t) {
    struct AL_Transfer **last = &al_state.transfers;
    while (*last) last = &(*last)->next;
    *last = t;
}

static void begin_send(struct AL_Transfer *t, const void *root, const AL_Type *type, int world_peer, int dest, int tag,
                       MPI_Comm comm) {
    set_up(t, true, type, dest, tag, comm);
    t->world_peer = world_peer;
    t->packet_tag = al_state.next_tag;
    al_state.next_tag = al_state.next_tag < al_state.last_tag ? al_state.next_tag + 1 : 0;
    if (t->result == AL_SUCCESS) {
        int result = al_encoder_init(&t->encoder, t->plan, root, t->label, al_state.expected_nodes);
        if (result != AL_SUCCESS) al_transfer_fail(t, result);
    }
    start(t);
    step(t, false);
}

static void begin_receive(struct AL_Transfer *t, void *root, const AL_Type *type, int source, int tag, MPI_Comm comm) {
    set_up(t, false, type, source, tag, comm);
    t->root = root;
    if (t->result == AL_SUCCESS) {
        int result = al_decoder_init(&t->decoder, t->plan, t->label);
        if (result != AL_SUCCESS) al_transfer_fail(t, result);
    }
    start(t);
    int code = MPI_Irecv(t->first, AL_FIRST_BYTES, MPI_BYTE, source, tag, comm, &t->requests[0]);
    if (code != MPI_SUCCESS) give_up(t, al_mpi_failed(code, "MPI_Irecv"));
}

static void run(struct AL_Transfer *t) {
    while (!t->done) {
        bool is_alone = al_state.transfers == t && !t->next;
        if (is_alone) step(t, true);
        else step_all();
    }
}

/* Takes the transfer off the list, frees what it has, and returns what became of it. */
static int end(struct AL_Transfer *t, MPI_Status *status) {
    struct AL_Transfer **link = &al_state.transfers;
    while (*link != t) link = &(*link)->next;
    *link = t->next;
    if (status != MPI_STATUS_IGNORE) *status = t->status;
    int result = t->result;
    if (result != AL_SUCCESS) al_fail_again(result, t->message);
    al_plan_free(t->plan);
    if (t->uses_reserve) {
        al_state.reserve_used = false;
        t->buffers[1] = NULL;
    }
    for (int i = 1; i < AL_SLOTS; i++) AL_FREE(t->buffers[i]);
    return result;
}

/* The structure from MPI_PROC_NULL. */
static int receive_nothing(void *root, MPI_Status *status) {
    const void *nothing = NULL;
    memcpy(root, &nothing, sizeof nothing);
    AL_MPI(MPI_Recv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, status), "MPI_Recv");
    return AL_SUCCESS;
}

int AL_Send(const void *root, const AL_Type *type, int dest, int tag, MPI_Comm comm) {
    int result = check_call(type), world_peer;
    if (result != AL_SUCCESS || dest == MPI_PROC_NULL) return result;
    result = al_world_rank(comm, dest, &world_peer);
    if (result != AL_SUCCESS) return result;
    struct AL_Transfer transfer;
    begin_send(&transfer, root, type, world_peer, dest, tag, comm);
    run(&transfer);
    return end(&transfer, MPI_STATUS_IGNORE);
}

int AL_Recv(void *root, const AL_Type *type, int source, int tag, MPI_Comm comm, MPI_Status *status) {
    if (!root) return al_fail(AL_ERR_ARG, "the address of the root is NULL");
    int result = check_call(type);
    if (result != AL_SUCCESS) return result;
    if (source == MPI_PROC_NULL) return receive_nothing(root, status);
    struct AL_Transfer transfer;
    begin_receive(&transfer, root, type, source, tag, comm);
    run(&transfer);
    return end(&transfer, status);
}

static int on_heap(struct AL_Transfer **transfer) {
    *transfer = AL_MALLOC(sizeof **transfer);
    return *transfer ? AL_SUCCESS : al_no_memory(sizeof **transfer);
}

int AL_Isend(const void *root, const AL_Type *type, int dest, int tag, MPI_Comm comm, AL_Request *request) {
    if (!request) return al_fail(AL_ERR_ARG, "the address of the request is NULL");
    *request = AL_REQUEST_NULL;
    int result = check_call(type), world_peer;
    if (result != AL_SUCCESS || dest == MPI_PROC_NULL) return result;
    result = al_world_rank(comm, dest, &world_peer);
    struct AL_Transfer *transfer;
    if (result == AL_SUCCESS) result = on_heap(&transfer);
    if (result != AL_SUCCESS) return result;
    begin_send(transfer, root, type, world_peer, dest, tag, comm);
    *request = transfer;
    return AL_SUCCESS;
}

int AL_Irecv(void *root, const AL_Type *type, int source, int tag, MPI_Comm comm, AL_Request *request) {
    if (!request || !root) return al_fail(AL_ERR_ARG, "the address of the %s is NULL", request ? "root" : "request");
    *request = AL_REQUEST_NULL;
    int result = check_call(type);
    if (result != AL_SUCCESS) return result;
    if (source == MPI_PROC_NULL) return receive_nothing(root, MPI_STATUS_IGNORE);
    struct AL_Transfer *transfer;
    result = on_heap(&transfer);
    if (result != AL_SUCCESS) return result;
    begin_receive(transfer, root, type, source, tag, comm);
    *request = transfer;
    return AL_SUCCESS;
}

/* The status of a request that is complete at once. */
static int empty_status(MPI_Status *status) {
    MPI_Request none = MPI_REQUEST_NULL;
    AL_MPI(MPI_Wait(&none, status), "MPI_Wait");
    return AL_SUCCESS;
}

int AL_Wait(AL_Request *request, MPI_Status *status) {
    if (!request) return al_fail(AL_ERR_ARG, "the address of the request is NULL");
    if (!*request) return empty_status(status);
    struct AL_Transfer *transfer = *request;
    *request = AL_REQUEST_NULL;
    run(transfer);
    int result = end(transfer, status);
    AL_FREE(transfer);
    return result;
}

int AL_Test(AL_Request *request, int *complete, MPI_Status *status) {
    if (!request || !complete) return al_fail(AL_ERR_ARG, "the address of the %s is NULL", request ? "flag" : "request");
    *complete = 1;
    if (!*request) return empty_status(status);
    step_all();
    if (!(*request)->done) {
        *complete = 0;
        return AL_SUCCESS;
    }
    return AL_Wait(request, status);
}
