/* What the files of AutoLink that call MPI share. internal.h lists them. */
#ifndef AL_TRANSFER_H
#define AL_TRANSFER_H

#include "internal.h"

/* The first packet, and those that are filled or read while others travel. */
#define AL_SLOTS 4

/* A transfer under way. It is a state machine: al_send_step and al_receive_step get on with it as far as they can. */
struct AL_Transfer {
    struct AL_Transfer *next; /* of all that are under way */
    bool sends;
    bool done;
    int result;                     /* of what failed first */
    char message[AL_MESSAGE_BYTES]; /* that belongs to it */

    al_plan *plan;
    uint32_t label; /* of the root */
    MPI_Comm comm;  /* of the first packet */
    int peer, tag;  /* there */
    int world_peer; /* of the other packets */
    int packet_tag;

    MPI_Request requests[AL_SLOTS];
    char *buffers[AL_SLOTS]; /* the first is `first`; the others are allocated when they are needed */
    int slot;                /* of the next packet to be sent or received */
    size_t packets;          /* before that one */
    bool posted_all;         /* of a send: nothing more to be sent */
    al_encoder encoder;

    bool waits_for_buffer; /* of a receive: none is left */
    bool uses_reserve;     /* buffers[1] is al_state.reserve */
    al_decoder decoder;
    void *root;        /* where the address of the structure goes */
    MPI_Status status; /* of the first packet */

    _Alignas(16) char first[AL_FIRST_BYTES];
};

/* Of this process, between AL_Init and AL_Finalize. */
typedef struct {
    bool ready;
    bool owns_mpi;
    MPI_Comm comm; /* a duplicate of MPI_COMM_WORLD: for all packets but the first of each transfer */
    size_t packet_bytes;
    size_t expected_nodes;
    int last_tag, next_tag;
    struct AL_Transfer *transfers;
    char *reserve; /* a packet's buffer with which a receive can get rid of packets when memory is short */
    bool reserve_used;
} al_process;

extern al_process al_state;

/* Keeps the error of this thread as that of the transfer, unless it has one. */
void al_transfer_fail(struct AL_Transfer *transfer, int error_class);

/* Waits or looks whether a request is complete. */
int al_await(MPI_Request *request, bool wait, bool *complete, MPI_Status *status);

/* Waits while other transfers go on. */
int al_complete(MPI_Request *request);

/* One step of each. With `wait` until the transfer is done. An error is MPI's: all others are the transfer's. */
int al_send_step(struct AL_Transfer *transfer, bool wait);
int al_receive_step(struct AL_Transfer *transfer, bool wait);

/* The rank in al_state.comm of a process of (the remote group of) a communicator. */
int al_world_rank(MPI_Comm comm, int rank, int *world);

/* A head for the first packet of this plan (NULL: of a sender that could not make one). */
al_head al_head_of(const al_plan *plan, uint32_t label, int tag, al_lead lead);

/* Whether a first packet can be read. Its lead is in *lead in any case; where that is not to be trusted, it says that
 * the packet is the last one. `plan` may be NULL: then only the lead is checked. */
int al_head_check(const char *packet, size_t length, const al_plan *plan, uint32_t label, al_head *head);

/* AL_ERR_REMOTE with the sender's message. */
int al_remote(const char *text, size_t length);

#endif
