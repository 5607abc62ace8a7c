#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

/* What a step takes, and each element of its longest message (`bytes` is the size of an element); and how many times
   longer an element takes while all messages are under way at once. They decide whether the schedule is followed.
   Where messages do not hinder each other, as within one machine, having all under way at once is never slower; where
   they do, as on networks, measure by how much, and define $NAME_CONTENTION. */
#ifndef $NAME_ALPHA
#define $NAME_ALPHA $ALPHA
#endif
#ifndef $NAME_BETA
#define $NAME_BETA $BETA
#endif
#ifndef $NAME_CONTENTION
#define $NAME_CONTENTION $CONTENTION
#endif

int $name($PARAMETERS);
int $name_by($PARAMETERS, int scheduled);

/* A block-cyclic distribution of one dimension: element i is on process (i / block + source) % processes. */
struct $name_cyclic {
    long long processes, block, source;
    long long start; /* index of the first element that is moved */
};

struct $name_dimension {
    struct $name_cyclic from, to;
    long long length; /* elements that are moved */
    long long period; /* elements after which the pattern repeats */
};

/* A message: in which step it goes, and to or from whom. */
struct $name_message {
    int step, peer;
};

$TABLES

/* Consecutive elements of one dimension that a process has: the first one counted from the beginning of a period, where
   it is among those that the process has, and how many they are. */
struct $name_run {
    long long first, local, length;
};

/* What a process has of a dimension: the runs of one period for each peer, one peer after the other. */
struct $name_part {
    size_t *begin; /* of each peer, and the end */
    struct $name_run *runs;
    long long length, period;
    long long step;   /* from a local index to that one period later */
    long long stride; /* from an element to the next in this dimension, in elements */
};

/* One side of the redistribution, seen from one process. */
struct $name_side {
    char *array;
    struct $name_part parts[$NAME_DIMENSIONS];
    int order[$NAME_DIMENSIONS]; /* dimensions as they lie in memory, the one with the largest stride first */
};

/* How elements are copied, and where to. */
struct $name_copy {
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Aint extent;
    int dense;           /* whether the type has no gaps, so that its bytes can be copied */
    int packed_size;     /* bytes of an element that MPI has packed, otherwise */
    const struct $name_side *side;
    long long peer[$NAME_DIMENSIONS];
    int unpack;
    char *buffer;
    MPI_Aint position; /* in the buffer, in bytes */
    int capacity;      /* of the buffer, for MPI's packing */
};

static long long $name_local_length(const struct $name_cyclic *cyclic, long long length, long long process)
{
    long long round = cyclic->processes * cyclic->block;
    long long position = (process + cyclic->processes - cyclic->source) % cyclic->processes;
    long long rest = length % round - position * cyclic->block;
    rest = rest < 0 ? 0 : rest > cyclic->block ? cyclic->block : rest;
    return length / round * cyclic->block + rest;
}

/* Finds the runs of one process in one dimension. */
static int $name_scan(const struct $name_cyclic *mine, const struct $name_cyclic *other, long long length,
                         long long period, long long process, struct $name_part *part)
{
    long long round = mine->processes * mine->block, phase = mine->start % round;
    long long position = (process + mine->processes - mine->source) % mine->processes;
    long long limit = length < period ? length : period, begin = position * mine->block, peer;
    int pass;
    part->length = length;
    part->period = period;
    part->step = period / round * mine->block;
    part->runs = NULL;
    part->begin = calloc((size_t)other->processes + 2, sizeof *part->begin);
    if (part->begin == NULL)
        return MPI_ERR_NO_MEM;
    if (begin + mine->block <= phase)
        begin += round;
    /* First count, then list; in the second pass begin[peer + 1] is where the next run of the peer goes. */
    for (pass = 0; pass < 2; ++pass) {
        long long block;
        for (block = begin; block < phase + limit; block += round) {
            long long low = block < phase ? 0 : block - phase, high = block + mine->block - phase;
            if (high > limit)
                high = limit;
            while (low < high) {
                long long target = other->start % (other->processes * other->block) + low;
                long long end = low + other->block - target % other->block;
                if (end > high)
                    end = high;
                peer = (target / other->block + other->source) % other->processes;
                if (pass == 0) {
                    ++part->begin[peer + 2];
                } else {
                    struct $name_run *run = &part->runs[part->begin[peer + 1]++];
                    long long index = mine->start + low;
                    run->first = low;
                    run->local = index / round * mine->block + index % mine->block;
                    run->length = end - low;
                }
                low = end;
            }
        }
        if (pass == 0) {
            for (peer = 1; peer <= other->processes; ++peer)
                part->begin[peer + 1] += part->begin[peer];
            part->runs = malloc((part->begin[other->processes + 1] + 1) * sizeof *part->runs);
            if (part->runs == NULL)
                return MPI_ERR_NO_MEM;
        }
    }
    return MPI_SUCCESS;
}

/* The coordinates of a process in its grid. */
static void $name_coordinates(long long rank, int to, long long coordinates[])
{
    int place, by_columns = to ? $TO_BY_COLUMNS : $FROM_BY_COLUMNS;
    for (place = 0; place < $NAME_DIMENSIONS; ++place) {
        int dimension = by_columns ? place : $NAME_DIMENSIONS - 1 - place;
        const struct $name_dimension *both = &$name_dimensions[dimension];
        long long processes = to ? both->to.processes : both->from.processes;
        coordinates[dimension] = rank % processes;
        rank /= processes;
    }
}

/* Prepares one side for a process: its runs, and how its part of the array lies in memory. */
static int $name_prepare(struct $name_side *side, int to, long long rank, char *array, const MPI_Aint extents[])
{
    long long coordinates[$NAME_DIMENSIONS], stride = 1;
    int place, error;
    side->array = array;
    $name_coordinates(rank, to, coordinates);
    for (place = $NAME_DIMENSIONS - 1; place >= 0; --place) {
        int dimension = $STORED_BY_COLUMNS ? $NAME_DIMENSIONS - 1 - place : place;
        const struct $name_dimension *both = &$name_dimensions[dimension];
        const struct $name_cyclic *mine = to ? &both->to : &both->from, *other = to ? &both->from : &both->to;
        long long extent = $name_local_length(mine, mine->start + both->length, coordinates[dimension]);
        error = $name_scan(mine, other, both->length, both->period, coordinates[dimension], &side->parts[dimension]);
        if (error != MPI_SUCCESS)
            return error;
        side->order[place] = dimension;
        side->parts[dimension].stride = stride;
        if (extents != NULL) {
            if (extents[dimension] < extent)
                return MPI_ERR_ARG;
            extent = extents[dimension];
        }
        stride *= extent;
    }
    return MPI_SUCCESS;
}

static void $name_release(struct $name_side *side)
{
    int dimension;
    for (dimension = 0; dimension < $NAME_DIMENSIONS; ++dimension) {
        free(side->parts[dimension].begin);
        free(side->parts[dimension].runs);
    }
}

/* How many elements go to or come from a peer. `first` is the place of the first of them in memory, `span` how many places
   there are from there to the last; they lie together if those are as many. */
static long long $name_measure(const struct $name_side *side, const long long peer[], long long *first,
                                  long long *span)
{
    long long count = 1;
    int dimension;
    *first = 0;
    *span = 1;
    for (dimension = 0; dimension < $NAME_DIMENSIONS; ++dimension) {
        const struct $name_part *part = &side->parts[dimension];
        long long whole = part->length / part->period, rest = part->length % part->period, here = 0, last = 0;
        size_t run, begin = part->begin[peer[dimension]], end = part->begin[peer[dimension] + 1];
        for (run = begin; run < end; ++run) {
            const struct $name_run *one = &part->runs[run];
            long long begun = rest - one->first;
            begun = begun < 0 ? 0 : begun > one->length ? one->length : begun;
            here += whole * one->length + begun;
            if (begun > 0)
                last = one->local + begun - 1 + whole * part->step;
            else if (whole > 0 && one->local + one->length - 1 + (whole - 1) * part->step > last)
                last = one->local + one->length - 1 + (whole - 1) * part->step;
        }
        if (here == 0)
            return 0;
        *first += part->runs[begin].local * part->stride;
        *span += (last - part->runs[begin].local) * part->stride;
        count *= here;
    }
    return count;
}

/* Copies `count` elements from `index` on in the array into the buffer, or back. */
static int $name_move(struct $name_copy *copy, long long index, long long count)
{
    char *place = copy->side->array + index * copy->extent;
    int error, position = (int)copy->position;
    if (copy->dense) {
        size_t bytes = (size_t)count * (size_t)copy->extent;
        char *buffer = copy->buffer + copy->position, *to = copy->unpack ? place : buffer;
        const char *from = copy->unpack ? buffer : place;
        /* Short runs are common, and copied faster when their length is known. */
        if (bytes == 8)
            memcpy(to, from, 8);
        else if (bytes == 16)
            memcpy(to, from, 16);
        else
            memcpy(to, from, bytes);
        copy->position += (MPI_Aint)bytes;
        return MPI_SUCCESS;
    }
    if (copy->unpack)
        error = MPI_Unpack(copy->buffer, copy->capacity, &position, place, (int)count, copy->type, copy->comm);
    else
        error = MPI_Pack(place, (int)count, copy->type, copy->buffer, copy->capacity, &position, copy->comm);
    copy->position = position;
    return error;
}

/* Copies what belongs to the peer, in the order of indices; both sides agree on it. */
static int $name_walk(struct $name_copy *copy, int level, long long index)
{
    int dimension = copy->side->order[level], error = MPI_SUCCESS;
    const struct $name_part *part = &copy->side->parts[dimension];
    const struct $name_run *end = part->runs + part->begin[copy->peer[dimension] + 1], *run;
    long long begun, moved = 0;
    for (begun = 0; begun < part->length; begun += part->period, moved += part->step) {
        for (run = part->runs + part->begin[copy->peer[dimension]]; run < end; ++run) {
            long long left = part->length - begun - run->first, count = run->length < left ? run->length : left, i;
            if (count <= 0)
                break;
            if (level == $NAME_DIMENSIONS - 1) {
                error = $name_move(copy, index + (run->local + moved) * part->stride, count);
            } else {
                for (i = 0; i < count && error == MPI_SUCCESS; ++i)
                    error = $name_walk(copy, level + 1, index + (run->local + moved + i) * part->stride);
            }
            if (error != MPI_SUCCESS)
                return error;
        }
    }
    return error;
}

/* A message under way, or a local copy. */
struct $name_transfer {
    char *place;      /* of the first element if all of them lie together, else NULL */
    char *buffer;     /* where it is packed */
    long long count;  /* of elements */
    int bytes;        /* of the buffer, where MPI packs */
    int peer;
};

static int $name_plan(struct $name_copy *copy, int peer, struct $name_transfer *transfer)
{
    long long first, span;
    /* The peer is a receiver where this side is the sender's. */
    $name_coordinates(peer, !copy->unpack, copy->peer);
    transfer->peer = peer;
    transfer->buffer = NULL;
    transfer->place = NULL;
    transfer->bytes = 0;
    transfer->count = $name_measure(copy->side, copy->peer, &first, &span);
    if (transfer->count > INT_MAX)
        return MPI_ERR_COUNT;
    if (copy->dense) {
        if (span == transfer->count)
            transfer->place = copy->side->array + first * copy->extent;
    } else {
        if (transfer->count > INT_MAX / (copy->packed_size > 0 ? copy->packed_size : 1))
            return MPI_ERR_COUNT;
        transfer->bytes = (int)transfer->count * copy->packed_size;
    }
    return MPI_SUCCESS;
}

/* Bytes that the message needs besides the array. */
static size_t $name_buffered(const struct $name_copy *copy, const struct $name_transfer *transfer)
{
    if (transfer->place != NULL)
        return 0;
    return copy->dense ? (size_t)transfer->count * (size_t)copy->extent : (size_t)transfer->bytes;
}

/* Packs or unpacks the whole message. */
static int $name_run_copy(struct $name_copy *copy, const struct $name_transfer *transfer)
{
    if (transfer->place != NULL)
        return MPI_SUCCESS;
    $name_coordinates(transfer->peer, !copy->unpack, copy->peer);
    copy->buffer = transfer->buffer;
    copy->position = 0;
    copy->capacity = transfer->bytes;
    return $name_walk(copy, 0, 0);
}

static int $name_send(struct $name_copy *copy, const struct $name_transfer *transfer, MPI_Request *request)
{
    int error = $name_run_copy(copy, transfer), rank = $NAME_FIRST_RECEIVER + transfer->peer;
    if (error != MPI_SUCCESS)
        return error;
    if (!copy->dense)
        return MPI_Isend(transfer->buffer, (int)copy->position, MPI_PACKED, rank, 0, copy->comm, request);
    return MPI_Isend(transfer->place != NULL ? transfer->place : transfer->buffer, (int)transfer->count, copy->type,
                     rank, 0, copy->comm, request);
}

static int $name_receive(struct $name_copy *copy, const struct $name_transfer *transfer, MPI_Request *request)
{
    if (!copy->dense)
        return MPI_Irecv(transfer->buffer, transfer->bytes, MPI_PACKED, transfer->peer, 0, copy->comm, request);
    return MPI_Irecv(transfer->place != NULL ? transfer->place : transfer->buffer, (int)transfer->count, copy->type,
                     transfer->peer, 0, copy->comm, request);
}

/* Follows the schedule: in each step at most one message in and one out, in two buffers as large as the longest. */
static int $name_in_steps(struct $name_copy *out, struct $name_transfer *sends, size_t send_count,
                             const struct $name_message *send_steps, struct $name_copy *in,
                             struct $name_transfer *receives, size_t receive_count,
                             const struct $name_message *receive_steps)
{
    size_t i = 0, j = 0;
    while (i < send_count || j < receive_count) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status statuses[2];
        int step = i < send_count ? send_steps[i].step : receive_steps[j].step, error = MPI_SUCCESS, received = 0;
        if (j < receive_count && receive_steps[j].step < step)
            step = receive_steps[j].step;
        if (j < receive_count && receive_steps[j].step == step) {
            error = $name_receive(in, &receives[j], &requests[0]);
            received = 1;
        }
        if (error == MPI_SUCCESS && i < send_count && send_steps[i].step == step)
            error = $name_send(out, &sends[i++], &requests[1]);
        if (error == MPI_SUCCESS)
            error = MPI_Waitall(2, requests, statuses);
        if (error == MPI_SUCCESS && received)
            error = $name_run_copy(in, &receives[j++]);
        if (error != MPI_SUCCESS)
            return error;
    }
    return MPI_SUCCESS;
}

/* Has all messages under way at once, each in a buffer of its own. */
static int $name_at_once(struct $name_copy *out, struct $name_transfer *sends, size_t send_count,
                            struct $name_copy *in, struct $name_transfer *receives, size_t receive_count,
                            MPI_Request *requests)
{
    size_t i;
    int error, index;
    for (i = 0; i < receive_count; ++i) {
        error = $name_receive(in, &receives[i], &requests[i]);
        if (error != MPI_SUCCESS)
            return error;
    }
    for (i = 0; i < send_count; ++i) {
        error = $name_send(out, &sends[i], &requests[receive_count + i]);
        if (error != MPI_SUCCESS)
            return error;
    }
    for (i = 0; i < receive_count; ++i) {
        error = MPI_Waitany((int)receive_count, requests, &index, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS)
            error = $name_run_copy(in, &receives[index]);
        if (error != MPI_SUCCESS)
            return error;
    }
    for (i = 0; i < send_count; ++i) {
        error = MPI_Wait(&requests[receive_count + i], MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS)
            return error;
    }
    return MPI_SUCCESS;
}

/* Gives each message a buffer: the same one to all, or each its own. Returns how many bytes they take. */
static size_t $name_lay_out(const struct $name_copy *copy, struct $name_transfer *transfers, size_t count,
                               int shared, char *buffer)
{
    size_t i, used = 0;
    for (i = 0; i < count; ++i) {
        size_t bytes = ($name_buffered(copy, &transfers[i]) + 15) / 16 * 16;
        if (buffer != NULL)
            transfers[i].buffer = shared ? buffer : buffer + used;
        used = shared ? (bytes > used ? bytes : used) : used + bytes;
    }
    return used;
}

/* What `$name` does, by the schedule or with all messages at once (always so in place); all processes must say the same. */
int $name_by($PARAMETERS, int scheduled)
{
    struct $name_side sides[2];
    struct $name_copy copies[2];
    struct $name_transfer *transfers[2] = {NULL, NULL}, local[2];
    const struct $name_message *messages[2] = {$name_sends, $name_receives};
    size_t counts[2] = {0, 0}, bytes[2] = {0, 0}, i;
    char *buffers[2] = {NULL, NULL};
    MPI_Request *requests = NULL;
    MPI_Aint lower, extent, true_lower, true_extent;
    /* In place, what arrives may lie where something else is still to be read: then everything is packed before anything is
       unpacked, whatever was asked for. Others need not know, as messages are the same either way. */
    int in_place = $NAME_SAME_PROCESSES && from == to;
    int rank, size, type_size, packed, side, error, local_copy = 0;
    size_t local_begin = 0; /* where the buffer of what this process keeps begins */

    error = MPI_Comm_rank(comm, &rank);
    if (error == MPI_SUCCESS)
        error = MPI_Comm_size(comm, &size);
    if (error == MPI_SUCCESS)
        error = MPI_Type_size(type, &type_size);
    if (error == MPI_SUCCESS)
        error = MPI_Type_get_extent(type, &lower, &extent);
    if (error == MPI_SUCCESS)
        error = MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    if (error == MPI_SUCCESS)
        error = MPI_Pack_size(1, type, comm, &packed);
    if (error != MPI_SUCCESS)
        return error;
    if (size < $NAME_SENDERS || size < $NAME_FIRST_RECEIVER + $NAME_RECEIVERS)
        return MPI_ERR_COMM;

    if (in_place)
        scheduled = 0;
    memset(sides, 0, sizeof sides);
    memset(local, 0, sizeof local);
    for (side = 0; side < 2 && error == MPI_SUCCESS; ++side) {
        /* Side 0 sends, side 1 receives. */
        struct $name_copy *copy = &copies[side];
        int self = side == 0 ? rank : rank - $NAME_FIRST_RECEIVER;
        copy->type = type;
        copy->comm = comm;
        copy->extent = extent;
        copy->dense = lower == 0 && true_lower == 0 && extent == true_extent && extent == type_size;
        copy->packed_size = packed;
        copy->side = &sides[side];
        copy->unpack = side;
        if (self < 0 || self >= (side == 0 ? $NAME_SENDERS : $NAME_RECEIVERS))
            continue;
        /* Nothing is written to the sender's side. */
        error = $name_prepare(&sides[side], side, self, side == 0 ? (char *)(size_t)from : (char *)to, $EXTENTS);
        if (error != MPI_SUCCESS)
            break;
        messages[side] += side == 0 ? $name_first_send[self] : $name_first_receive[self];
        counts[side] = side == 0 ? $name_first_send[self + 1] - $name_first_send[self]
                                 : $name_first_receive[self + 1] - $name_first_receive[self];
        transfers[side] = malloc((counts[side] + 1) * sizeof *transfers[side]);
        if (transfers[side] == NULL)
            error = MPI_ERR_NO_MEM;
        for (i = 0; i < counts[side] && error == MPI_SUCCESS; ++i) {
            error = $name_plan(copy, messages[side][i].peer, &transfers[side][i]);
            if (in_place)
                transfers[side][i].place = NULL;
        }
        if (error == MPI_SUCCESS)
            bytes[side] = $name_lay_out(copy, transfers[side], counts[side], scheduled, NULL);
    }
    if (error == MPI_SUCCESS && $NAME_SAME_PROCESSES && rank < $NAME_SENDERS && rank < $NAME_RECEIVERS) {
        /* What this process keeps is packed before anything is under way, and so unpacked again unless it is in place. */
        for (side = 0; side < 2 && error == MPI_SUCCESS; ++side) {
            error = $name_plan(&copies[side], rank, &local[side]);
            local[side].place = NULL;
        }
        if (error == MPI_SUCCESS && local[0].count > 0) {
            size_t needed = $name_buffered(&copies[0], &local[0]);
            local_copy = 1;
            local_begin = in_place ? bytes[0] : 0;
            bytes[0] = local_begin + needed > bytes[0] ? local_begin + needed : bytes[0];
        }
    }
    for (side = 0; side < 2 && error == MPI_SUCCESS; ++side) {
        buffers[side] = malloc(bytes[side] + 1);
        if (buffers[side] == NULL)
            error = MPI_ERR_NO_MEM;
        else if (transfers[side] != NULL)
            $name_lay_out(&copies[side], transfers[side], counts[side], scheduled, buffers[side]);
    }
    if (error == MPI_SUCCESS && local_copy) {
        local[0].buffer = local[1].buffer = buffers[0] + local_begin;
        error = $name_run_copy(&copies[0], &local[0]);
        if (error == MPI_SUCCESS && !in_place)
            error = $name_run_copy(&copies[1], &local[1]);
    }
    if (error == MPI_SUCCESS && !scheduled) {
        requests = malloc((counts[0] + counts[1] + 1) * sizeof *requests);
        if (requests == NULL)
            error = MPI_ERR_NO_MEM;
    }
    if (error == MPI_SUCCESS) {
        error = scheduled ? $name_in_steps(&copies[0], transfers[0], counts[0], messages[0], &copies[1], transfers[1],
                                              counts[1], messages[1])
                          : $name_at_once(&copies[0], transfers[0], counts[0], &copies[1], transfers[1], counts[1],
                                             requests);
        /* Operations may still be under way after an error: then nothing that they use is freed. */
        if (error != MPI_SUCCESS)
            return error;
        if (local_copy && in_place)
            error = $name_run_copy(&copies[1], &local[1]);
    }
    for (side = 0; side < 2; ++side) {
        free(buffers[side]);
        free(transfers[side]);
        $name_release(&sides[side]);
    }
    free(requests);
    return error;
}

int $name($PARAMETERS)
{
    int bytes, error = MPI_Type_size(type, &bytes);
    double in_steps, at_once;
    if (error != MPI_SUCCESS)
        return error;
    (void)bytes;
    in_steps = $STEPS * $NAME_ALPHA + $COST * $NAME_BETA;
    at_once = $NAME_ALPHA + $LOAD * $NAME_BETA * $NAME_CONTENTION;
    return $name_by($ARGUMENTS, in_steps <= at_once);
}
