/* Names for communicators on which all their members agree, and the creation of communicators, which gives them out.
 *
 * No communication is needed: all members of a communicator create its children in the same order. */
#include "trace.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int info_key = MPI_KEYVAL_INVALID;
static MPI_Group world_group = MPI_GROUP_NULL;
static int group_creations;

void name_world(MPI_Group world) {
    world_group = world;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &info_key, NULL);
    attach(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    attach(MPI_COMM_SELF, "MPI_COMM_SELF");
}

/* The rank in MPI_COMM_WORLD, or -1. */
int world_of(const comm_info *comm, int rank) { return rank >= 0 && rank < comm->size ? comm->world[rank] : -1; }

static int first_world_rank(MPI_Group group) {
    int size, zero = 0, first = -1;
    PMPI_Group_size(group, &size);
    if (size > 0) PMPI_Group_translate_ranks(group, 1, &zero, world_group, &first);
    return first;
}

/* The smallest first member: of an intercommunicator both sides get the same. */
static int leader_of(MPI_Comm comm) {
    MPI_Group group;
    int inter;
    PMPI_Comm_group(comm, &group);
    int leader = first_world_rank(group);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) {
        PMPI_Comm_remote_group(comm, &group);
        int other = first_world_rank(group);
        if (other < leader) leader = other;
        PMPI_Group_free(&group);
    }
    return leader;
}

/* What is known of those to whom messages go. Keeps the name. */
static comm_info *describe_group(MPI_Group group, const char *name) {
    int size;
    PMPI_Group_size(group, &size);
    comm_info *info = allocate(sizeof *info + (size_t)size * sizeof(int));
    info->name = name;
    info->size = size;
    int *ranks = allocate((size_t)size * sizeof(int));
    for (int i = 0; i < size; i++) ranks[i] = i;
    PMPI_Group_translate_ranks(group, size, ranks, world_group, info->world);
    free(ranks);
    return info;
}

/* Keeps the name. */
comm_info *attach(MPI_Comm comm, const char *name) {
    int inter;
    MPI_Group group;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter) PMPI_Comm_remote_group(comm, &group);
    else PMPI_Comm_group(comm, &group);
    comm_info *info = describe_group(group, name);
    PMPI_Group_free(&group);
    PMPI_Comm_set_attr(comm, info_key, info);
    return info;
}

static char *format_name(const char *parent, const char *what, int number, int leader) {
    size_t size = strlen(parent) + strlen(what) + 32;
    char *name = allocate(size);
    snprintf(name, size, "%s%s%d@%d", parent, what, number, leader);
    return name;
}

comm_info *info_of(MPI_Comm comm) {
    comm_info *info = NULL;
    int found = 0;
    PMPI_Comm_get_attr(comm, info_key, &info, &found);
    if (found) return info;
    /* Created in a way that is not followed here: MPI_Comm_spawn, MPI_Comm_accept, ... */
    return attach(comm, format_name("unknown", "/", 0, leader_of(comm)));
}

static int count_up(int *counter) {
    pthread_mutex_lock(&lock);
    int number = ++*counter;
    pthread_mutex_unlock(&lock);
    return number;
}

/* The place of a persistent collective that is described now. */
int next_prepared(MPI_Comm comm) { return count_up(&info_of(comm)->prepared); }

/* Names a new communicator, if this process is in it. */
static void adopt(MPI_Comm parent, MPI_Comm child) {
    comm_info *info = info_of(parent);
    int number = count_up(&info->children);
    if (child != MPI_COMM_NULL) attach(child, format_name(info->name, "/", number, leader_of(child)));
}

/* Names what all members of a communicator have made of it for this group, other than a communicator. */
comm_info *name_child(MPI_Comm parent, MPI_Group group) {
    comm_info *info = info_of(parent);
    int number = count_up(&info->children);
    return describe_group(group, format_name(info->name, "/", number, first_world_rank(group)));
}

/* PARAMETERS and ARGUMENTS are parenthesised lists without the last, the new communicator; the parent is `comm`. */
#define CREATION(NAME, PARAMETERS, ARGUMENTS)                                                                          \
    int MPI_##NAME(UNWRAP PARAMETERS, MPI_Comm *created) {                                                             \
        log_collective("MPI_" #NAME, CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);                              \
        int code = PMPI_##NAME(UNWRAP ARGUMENTS, created);                                                             \
        if (code == MPI_SUCCESS && tracing()) adopt(comm, *created);                                                   \
        return code;                                                                                                   \
    }
CREATION(Comm_dup, (MPI_Comm comm), (comm))
CREATION(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info), (comm, info))
CREATION(Comm_create, (MPI_Comm comm, MPI_Group group), (comm, group))
CREATION(Comm_split, (MPI_Comm comm, int color, int key), (comm, color, key))
CREATION(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info), (comm, type, key, info))
CREATION(Cart_create, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder),
         (comm, ndims, dims, periods, reorder))
CREATION(Cart_sub, (MPI_Comm comm, const int remain[]), (comm, remain))
CREATION(Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder),
         (comm, nodes, index, edges, reorder))
CREATION(Dist_graph_create,
         (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
          const int weights[], MPI_Info info, int reorder),
         (comm, n, sources, degrees, destinations, weights, info, reorder))
CREATION(Dist_graph_create_adjacent,
         (MPI_Comm comm, int indegree, const int sources[], const int sourceweights[], int outdegree,
          const int destinations[], const int destweights[], MPI_Info info, int reorder),
         (comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder))
CREATION(Intercomm_merge, (MPI_Comm comm, int high), (comm, high))

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *created, MPI_Request *request) {
    log_collective("MPI_Comm_idup", CALLER, comm, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    int code = PMPI_Comm_idup(comm, created, request);
    if (code == MPI_SUCCESS && tracing()) {
        comm_info *info = info_of(comm);
        char *name = format_name(info->name, "/", count_up(&info->children), leader_of(comm));
        operation o = {.kind = DUPLICATION, .active = true, .seq = next_seq(), .duplicate = created, .name = name};
        remember(o, *request);
    }
    return code;
}

/* Only the group's members call it, so the parent's count of children would differ between them: the first member names
 * it. The call is collective over the new communicator already, so this broadcast cannot block any longer than it did. */
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *created) {
    int code = PMPI_Comm_create_group(comm, group, tag, created);
    if (code == MPI_SUCCESS && tracing() && *created != MPI_COMM_NULL) {
        int number = count_up(&group_creations);
        PMPI_Bcast(&number, 1, MPI_INT, 0, *created);
        attach(*created, format_name(info_of(comm)->name, "/group", number, leader_of(*created)));
        log_collective("MPI_Comm_create_group", CALLER, *created, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    }
    return code;
}

/* Both sides know the tag and, afterwards, both first members. */
int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader, int tag,
                         MPI_Comm *created) {
    log_collective("MPI_Intercomm_create", CALLER, local, NO_ROOT, NO_COUNT, MPI_DATATYPE_NULL);
    int code = PMPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, created);
    if (code == MPI_SUCCESS && tracing()) attach(*created, format_name("intercomm", "/", tag, leader_of(*created)));
    return code;
}
