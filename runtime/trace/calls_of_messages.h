/* The calls that send and receive with counts of type COUNT, by names that NAMED makes of a prefix and a plain name:
 * included once for each kind of bindings. */

#define BLOCKING_SEND(NAME)                                                                                            \
    int NAMED(MPI_, NAME)(const void *buf, COUNT count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {         \
        log_send(TEXT(NAMED(MPI_, NAME)), CALLER, count, type, dest, tag, comm);                                       \
        return NAMED(PMPI_, NAME)(buf, count, type, dest, tag, comm);                                                  \
    }
BLOCKING_SEND(Send)
BLOCKING_SEND(Bsend)
BLOCKING_SEND(Ssend)
BLOCKING_SEND(Rsend)

#define NONBLOCKING_SEND(NAME)                                                                                         \
    int NAMED(MPI_, NAME)(const void *buf, COUNT count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,           \
                   MPI_Request *request) {                                                                             \
        log_send(TEXT(NAMED(MPI_, NAME)), CALLER, count, type, dest, tag, comm);                                       \
        return NAMED(PMPI_, NAME)(buf, count, type, dest, tag, comm, request);                                         \
    }
NONBLOCKING_SEND(Isend)
NONBLOCKING_SEND(Ibsend)
NONBLOCKING_SEND(Issend)
NONBLOCKING_SEND(Irsend)

#define PERSISTENT_SEND(NAME)                                                                                          \
    int NAMED(MPI_, NAME)(const void *buf, COUNT count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,           \
                   MPI_Request *request) {                                                                             \
        int code = NAMED(PMPI_, NAME)(buf, count, type, dest, tag, comm, request);                                     \
        if (code == MPI_SUCCESS)                                                                                       \
            prepare(SEND, TEXT(NAMED(MPI_, NAME)), CALLER, count, type, dest, tag, comm, *request);                    \
        return code;                                                                                                   \
    }
PERSISTENT_SEND(Send_init)
PERSISTENT_SEND(Bsend_init)
PERSISTENT_SEND(Ssend_init)
PERSISTENT_SEND(Rsend_init)

int NAMED(MPI_, Recv_init)(void *buf, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                           MPI_Request *request) {
    int code = NAMED(PMPI_, Recv_init)(buf, count, type, source, tag, comm, request);
    if (code == MPI_SUCCESS)
        prepare(RECV, TEXT(NAMED(MPI_, Recv_init)), CALLER, count, type, source, tag, comm, *request);
    return code;
}

int NAMED(MPI_, Recv)(void *buf, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                      MPI_Status *status) {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    long seq = number(source, comm);
    int code = NAMED(PMPI_, Recv)(buf, count, type, source, tag, comm, status);
    if (code == MPI_SUCCESS)
        received(seq, TEXT(NAMED(MPI_, Recv)), CALLER, count, type, source, tag, comm, status);
    return code;
}

int NAMED(MPI_, Irecv)(void *buf, COUNT count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                       MPI_Request *request) {
    int code = NAMED(PMPI_, Irecv)(buf, count, type, source, tag, comm, request);
    if (code == MPI_SUCCESS) posted(TEXT(NAMED(MPI_, Irecv)), CALLER, count, type, source, tag, comm, *request);
    return code;
}

int NAMED(MPI_, Sendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                          void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,
                          MPI_Comm comm, MPI_Status *status) {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    log_send(TEXT(NAMED(MPI_, Sendrecv)), CALLER, sendcount, sendtype, dest, sendtag, comm);
    long seq = number(source, comm);
    int code = NAMED(PMPI_, Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                      source, recvtag, comm, status);
    if (code == MPI_SUCCESS)
        received(seq, TEXT(NAMED(MPI_, Sendrecv)), CALLER, recvcount, recvtype, source, recvtag, comm, status);
    return code;
}

int NAMED(MPI_, Sendrecv_replace)(void *buf, COUNT count, MPI_Datatype type, int dest, int sendtag, int source,
                                  int recvtag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    log_send(TEXT(NAMED(MPI_, Sendrecv_replace)), CALLER, count, type, dest, sendtag, comm);
    long seq = number(source, comm);
    int code = NAMED(PMPI_, Sendrecv_replace)(buf, count, type, dest, sendtag, source, recvtag, comm, status);
    if (code == MPI_SUCCESS)
        received(seq, TEXT(NAMED(MPI_, Sendrecv_replace)), CALLER, count, type, source, recvtag, comm, status);
    return code;
}

#if MPI_VERSION >= 4
int NAMED(MPI_, Isendrecv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                           void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source, int recvtag,
                           MPI_Comm comm, MPI_Request *request) {
    log_send(TEXT(NAMED(MPI_, Isendrecv)), CALLER, sendcount, sendtype, dest, sendtag, comm);
    int code = NAMED(PMPI_, Isendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                                       source, recvtag, comm, request);
    if (code == MPI_SUCCESS)
        posted(TEXT(NAMED(MPI_, Isendrecv)), CALLER, recvcount, recvtype, source, recvtag, comm, *request);
    return code;
}

int NAMED(MPI_, Isendrecv_replace)(void *buf, COUNT count, MPI_Datatype type, int dest, int sendtag, int source,
                                   int recvtag, MPI_Comm comm, MPI_Request *request) {
    log_send(TEXT(NAMED(MPI_, Isendrecv_replace)), CALLER, count, type, dest, sendtag, comm);
    int code = NAMED(PMPI_, Isendrecv_replace)(buf, count, type, dest, sendtag, source, recvtag, comm, request);
    if (code == MPI_SUCCESS)
        posted(TEXT(NAMED(MPI_, Isendrecv_replace)), CALLER, count, type, source, recvtag, comm, *request);
    return code;
}
#endif

int NAMED(MPI_, Mrecv)(void *buf, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    MPI_Status own;
    operation o;
    if (status == MPI_STATUS_IGNORE) status = &own;
    bool known = claim(*message, TEXT(NAMED(MPI_, Mrecv)), CALLER, count, type, &o);
    int code = NAMED(PMPI_, Mrecv)(buf, count, type, message, status);
    if (code == MPI_SUCCESS && known) log_recv(&o, status);
    return code;
}

int NAMED(MPI_, Imrecv)(void *buf, COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request) {
    operation o;
    bool known = claim(*message, TEXT(NAMED(MPI_, Imrecv)), CALLER, count, type, &o);
    int code = NAMED(PMPI_, Imrecv)(buf, count, type, message, request);
    if (code == MPI_SUCCESS && known) {
        o.active = true;
        remember(o, *request);
    }
    return code;
}
