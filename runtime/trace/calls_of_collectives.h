/* The collective operations with counts of type COUNT and displacements of type DISPLACEMENT, by names that NAMED makes
 * of a prefix and a plain name: included once for each kind of bindings. */

#define UNWRAP(...) __VA_ARGS__

/* Defines MPI_NAME, MPI_INAME and, since MPI-4, MPI_NAME_init. PARAMETERS and ARGUMENTS are parenthesised lists; NUMBER
 * and TYPE say what this process contributes, or receives where it contributes nothing. */
#define COLLECTIVE(NAME, INAME, PARAMETERS, ARGUMENTS, ROOT, NUMBER, TYPE)                                             \
    int NAMED(MPI_, NAME)(UNWRAP PARAMETERS, MPI_Comm comm) {                                                          \
        log_collective(TEXT(NAMED(MPI_, NAME)), CALLER, comm, ROOT, NUMBER, TYPE);                                     \
        return NAMED(PMPI_, NAME)(UNWRAP ARGUMENTS, comm);                                                             \
    }                                                                                                                  \
    int NAMED(MPI_, INAME)(UNWRAP PARAMETERS, MPI_Comm comm, MPI_Request *request) {                                   \
        log_collective(TEXT(NAMED(MPI_, INAME)), CALLER, comm, ROOT, NUMBER, TYPE);                                    \
        return NAMED(PMPI_, INAME)(UNWRAP ARGUMENTS, comm, request);                                                   \
    }                                                                                                                  \
    PERSISTENT(NAME##_init, PARAMETERS, ARGUMENTS, ROOT, NUMBER, TYPE)

#if MPI_VERSION >= 4
#define PERSISTENT(NAME, PARAMETERS, ARGUMENTS, ROOT, NUMBER, TYPE)                                                    \
    int NAMED(MPI_, NAME)(UNWRAP PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request *request) {                     \
        int code = NAMED(PMPI_, NAME)(UNWRAP ARGUMENTS, comm, info, request);                                          \
        if (code == MPI_SUCCESS)                                                                                       \
            prepare(TEXT(NAMED(MPI_, NAME)), CALLER, comm, ROOT, NUMBER, TYPE, *request);                              \
        return code;                                                                                                   \
    }
#else
#define PERSISTENT(NAME, PARAMETERS, ARGUMENTS, ROOT, NUMBER, TYPE)
#endif

#define IN_PLACE (sendbuf == MPI_IN_PLACE)
#define OWN(IF_IN_PLACE, OTHERWISE) (IN_PLACE ? (IF_IN_PLACE) : (OTHERWISE))

COLLECTIVE(Bcast, Ibcast, (void *buf, COUNT count, MPI_Datatype type, int root), (buf, count, type, root), root, count,
           type)

/* clang-format off */
#define SEND_RECV (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype)
#define SEND_RECV_ARGUMENTS (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype)
#define SEND_RECVV (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype)
#define SEND_RECVV_ARGUMENTS (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype)
#define SENDV_RECVV (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[], MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[], const DISPLACEMENT rdispls[], MPI_Datatype recvtype)
#define SENDV_RECVV_ARGUMENTS (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype)
/* clang-format on */
#define ROOTED(LIST) (UNWRAP LIST, int root)
#define ROOTED_ARGUMENTS(LIST) (UNWRAP LIST, root)

COLLECTIVE(Gather, Igather, ROOTED(SEND_RECV), ROOTED_ARGUMENTS(SEND_RECV_ARGUMENTS), root, OWN(recvcount, sendcount),
           OWN(recvtype, sendtype))
COLLECTIVE(Gatherv, Igatherv, ROOTED(SEND_RECVV), ROOTED_ARGUMENTS(SEND_RECVV_ARGUMENTS), root,
           OWN(recvcounts[root], sendcount), OWN(recvtype, sendtype))
COLLECTIVE(Scatter, Iscatter, ROOTED(SEND_RECV), ROOTED_ARGUMENTS(SEND_RECV_ARGUMENTS), root,
           is_root(comm, root) ? sendcount : recvcount, is_root(comm, root) ? sendtype : recvtype)
COLLECTIVE(Allgather, Iallgather, SEND_RECV, SEND_RECV_ARGUMENTS, NO_ROOT, OWN(recvcount, sendcount),
           OWN(recvtype, sendtype))
COLLECTIVE(Allgatherv, Iallgatherv, SEND_RECVV, SEND_RECVV_ARGUMENTS, NO_ROOT, OWN(NO_COUNT, sendcount),
           OWN(recvtype, sendtype))
COLLECTIVE(Alltoall, Ialltoall, SEND_RECV, SEND_RECV_ARGUMENTS, NO_ROOT, OWN(recvcount, sendcount),
           OWN(recvtype, sendtype))
COLLECTIVE(Alltoallv, Ialltoallv, SENDV_RECVV, SENDV_RECVV_ARGUMENTS, NO_ROOT, NO_COUNT, OWN(recvtype, sendtype))

COLLECTIVE(Scatterv, Iscatterv,
           (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[], MPI_Datatype sendtype,
            void *recvbuf,
            COUNT recvcount, MPI_Datatype recvtype, int root),
           (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root), root,
           recvbuf == MPI_IN_PLACE ? sendcounts[root] : recvcount, recvbuf == MPI_IN_PLACE ? sendtype : recvtype)

COLLECTIVE(Alltoallw, Ialltoallw,
           (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[], const MPI_Datatype sendtypes[],
            void *recvbuf, const COUNT recvcounts[], const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[]),
           (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), NO_ROOT, NO_COUNT,
           MPI_DATATYPE_NULL)
/* The same for a collective operation among neighbours, which also stands for a message to or from each of them: SENT and
 * RECEIVED elements of SENDTYPE and RECVTYPE for the neighbour `i`. */
#define NEIGHBORHOOD(NAME, INAME, PARAMETERS, ARGUMENTS, SENT, SENDTYPE, RECEIVED, RECVTYPE)                           \
    int NAMED(MPI_, NAME)(UNWRAP PARAMETERS, MPI_Comm comm) {                                                          \
        log_collective(TEXT(NAMED(MPI_, NAME)), CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);                   \
        LOG_NEIGHBOURS(TEXT(NAMED(MPI_, NAME)), SENT, SENDTYPE, RECEIVED, RECVTYPE)                                    \
        return NAMED(PMPI_, NAME)(UNWRAP ARGUMENTS, comm);                                                             \
    }                                                                                                                  \
    int NAMED(MPI_, INAME)(UNWRAP PARAMETERS, MPI_Comm comm, MPI_Request *request) {                                   \
        log_collective(TEXT(NAMED(MPI_, INAME)), CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);                  \
        LOG_NEIGHBOURS(TEXT(NAMED(MPI_, INAME)), SENT, SENDTYPE, RECEIVED, RECVTYPE)                                   \
        return NAMED(PMPI_, INAME)(UNWRAP ARGUMENTS, comm, request);                                                   \
    }                                                                                                                  \
    PERSISTENT(NAME##_init, PARAMETERS, ARGUMENTS, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL)
#define LOG_NEIGHBOURS(NAME, SENT, SENDTYPE, RECEIVED, RECVTYPE)                                                       \
    neighbours n = neighbours_of(comm);                                                                                \
    for (int i = 0; i < n.out; i++) log_send(NAME, CALLER, SENT, SENDTYPE, n.destinations[i], 0, comm);                \
    for (int i = 0; i < n.in; i++) log_arrival(NAME, CALLER, RECEIVED, RECVTYPE, n.sources[i], 0, comm);               \
    free(n.sources);

NEIGHBORHOOD(Neighbor_allgather, Ineighbor_allgather, SEND_RECV, SEND_RECV_ARGUMENTS, sendcount, sendtype, recvcount,
             recvtype)
NEIGHBORHOOD(Neighbor_allgatherv, Ineighbor_allgatherv, SEND_RECVV, SEND_RECVV_ARGUMENTS, sendcount, sendtype,
             recvcounts[i], recvtype)
NEIGHBORHOOD(Neighbor_alltoall, Ineighbor_alltoall, SEND_RECV, SEND_RECV_ARGUMENTS, sendcount, sendtype, recvcount,
             recvtype)
NEIGHBORHOOD(Neighbor_alltoallv, Ineighbor_alltoallv, SENDV_RECVV, SENDV_RECVV_ARGUMENTS, sendcounts[i], sendtype,
             recvcounts[i], recvtype)
NEIGHBORHOOD(Neighbor_alltoallw, Ineighbor_alltoallw,
             (const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
              void *recvbuf, const COUNT recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]),
             (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes), sendcounts[i],
             sendtypes[i], recvcounts[i], recvtypes[i])

#define REDUCTION (const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype type, MPI_Op op)
#define REDUCTION_ARGUMENTS (sendbuf, recvbuf, count, type, op)
COLLECTIVE(Reduce, Ireduce, ROOTED(REDUCTION), ROOTED_ARGUMENTS(REDUCTION_ARGUMENTS), root, count, type)
COLLECTIVE(Allreduce, Iallreduce, REDUCTION, REDUCTION_ARGUMENTS, NO_ROOT, count, type)
COLLECTIVE(Scan, Iscan, REDUCTION, REDUCTION_ARGUMENTS, NO_ROOT, count, type)
COLLECTIVE(Exscan, Iexscan, REDUCTION, REDUCTION_ARGUMENTS, NO_ROOT, count, type)
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, REDUCTION, REDUCTION_ARGUMENTS, NO_ROOT, count, type)
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype type, MPI_Op op),
           (sendbuf, recvbuf, recvcounts, type, op), NO_ROOT, NO_COUNT, type)
