/* Many transfers at once, between all ranks: any order of waiting, one tag for all, any source, other communicators. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "same.h"
#include "shapes.h"

enum { EACH = 5 };

static int rank, ranks;

/* The structure that `from` sends to `to`, the number-th; both know it. */
static Random structure(int from, int to, int number) {
    return make_random((uint64_t)(100 * from + 10 * to + number), (uint32_t)(number % 2 ? 3 : 40));
}

/* All that belongs to one direction of one pair. */
typedef struct {
    Random random[EACH];
    void *got[EACH];
    AL_Request requests[EACH];
} Side;

static void post(Side *side, int peer, int number, int sends) {
    Random *random = &side->random[number];
    if (sends) {
        *random = structure(rank, peer, number);
        SUCCEEDS(AL_Isend(random->root, random->type, peer, 7, MPI_COMM_WORLD, &side->requests[number]));
    } else {
        *random = structure(peer, rank, number);
        SUCCEEDS(AL_Irecv(&side->got[number], random->type, peer, 7, MPI_COMM_WORLD, &side->requests[number]));
    }
}

static void finish(Side *side, int number, int sends, int test) {
    MPI_Status status;
    int complete = 0;
    if (test) {
        while (!complete) SUCCEEDS(AL_Test(&side->requests[number], &complete, &status));
    } else {
        SUCCEEDS(AL_Wait(&side->requests[number], &status));
    }
    CHECK(side->requests[number] == AL_REQUEST_NULL);
    Random *random = &side->random[number];
    if (!sends) {
        CHECK(status.MPI_TAG == 7);
        CHECK(same(random->root, side->got[number], random->type));
        SUCCEEDS(AL_Free(side->got[number], random->type));
    }
    free_random(random);
}

/* Everybody sends to everybody, also to itself. `order`: whether sends or receives are posted and waited for first. */
static void all_to_all(int order, int test) {
    Side *sends = calloc((size_t)ranks, sizeof *sends), *receives = calloc((size_t)ranks, sizeof *receives);
    if (!sends || !receives) abort();
    for (int way = 0; way < 2; way++)
        for (int peer = 0; peer < ranks; peer++)
            for (int i = 0; i < EACH; i++) post(way == (order & 1) ? &sends[peer] : &receives[peer], peer, i, way == (order & 1));
    /* In the middle of all this: a broadcast and a blocking transfer. */
    void *common = NULL;
    Random random = structure(0, 0, 4);
    if (rank == 0) common = random.root;
    SUCCEEDS(AL_Bcast(&common, random.type, 0, MPI_COMM_WORLD));
    if (rank) {
        CHECK(same(random.root, common, random.type));
        SUCCEEDS(AL_Free(common, random.type));
    }
    free_random(&random);
    FAILS(AL_ERR_PENDING, AL_Finalize());
    for (int way = 0; way < 2; way++)
        for (int peer = ranks; peer-- > 0;)
            for (int i = EACH; i-- > 0;)
                finish(way == (order >> 1) ? &sends[peer] : &receives[peer], i, way == (order >> 1), test);
    free(sends);
    free(receives);
}

/* Whoever comes first, while a transfer of the same tag from one of them is half done. */
static void any_source(void) {
    if (rank) {
        for (int i = 0; i < EACH; i++) {
            Random random = structure(rank, 0, i);
            SUCCEEDS(AL_Send(random.root, random.type, 0, random.label, MPI_COMM_WORLD));
            free_random(&random);
        }
        return;
    }
    int next[16] = {0};
    for (int i = 0; i < EACH * (ranks - 1); i++) {
        /* Its label is the tag. */
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        int source = status.MPI_SOURCE, label = status.MPI_TAG;
        Random random = structure(source, 0, next[source]++);
        void *got;
        CHECK(label == random.label);
        SUCCEEDS(AL_Recv(&got, random.type, source, label, MPI_COMM_WORLD, &status));
        CHECK(status.MPI_SOURCE == source);
        CHECK(same(random.root, got, random.type));
        SUCCEEDS(AL_Free(got, random.type));
        free_random(&random);
    }
}

/* Ranks in reverse, and an intercommunicator. */
static void other_communicators(void) {
    MPI_Comm reverse, half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reverse);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 5, &inter);
    Random random = structure(1, 2, 0);
    const AL_Type *type = random.type;
    void *got = NULL;
    if (rank == 0) SUCCEEDS(AL_Send(random.root, type, ranks - 2, 0, reverse));
    if (rank == 1) SUCCEEDS(AL_Recv(&got, type, ranks - 1, 0, reverse, MPI_STATUS_IGNORE));
    if (rank == 0) SUCCEEDS(AL_Recv(&got, type, 0, 0, inter, MPI_STATUS_IGNORE));
    if (rank == 1) {
        CHECK(same(random.root, got, type));
        SUCCEEDS(AL_Send(got, type, 0, 0, inter));
    }
    if (rank < 2) {
        CHECK(same(random.root, got, type));
        SUCCEEDS(AL_Free(got, type));
    }
    FAILS(AL_ERR_ARG, AL_Bcast(&got, type, 0, inter));
    got = rank == 0 ? random.root : NULL;
    SUCCEEDS(AL_Bcast(&got, type, ranks - 1, reverse));
    if (rank) SUCCEEDS(AL_Free(got, type));
    free_random(&random);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Comm_free(&reverse);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    /* The smallest of all counts. */
    SUCCEEDS(AL_Init(&(AL_Options){.packet_bytes = rank ? 1 << 16 : 5000, .expected_nodes = rank ? 10000 : 0}));
    AL_Request none = AL_REQUEST_NULL;
    SUCCEEDS(AL_Wait(&none, MPI_STATUS_IGNORE));
    for (int i = 0; i < rounds; i++) all_to_all(i % 4, i / 4 % 2);
    any_source();
    other_communicators();
    SUCCEEDS(AL_Finalize());
    int finalized;
    MPI_Finalized(&finalized);
    CHECK(!finalized);
    MPI_Finalize();
    return report();
}
