/* Structures between 2 or 3 ranks, which build the same ones: the receiver compares what arrives with its own.
 *
 *     transfers [random structures] [nodes of large ones] [bytes of a packet] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "same.h"
#include "shapes.h"

static int rank, ranks;

/* Sends from rank 0 to 1 and compares. */
static void pass_as(const void *mine, const AL_Type *type, int tag) {
    if (rank == 0) {
        SUCCEEDS(AL_Send(mine, type, 1, tag, MPI_COMM_WORLD));
    } else if (rank == 1) {
        void *got = &got;
        MPI_Status status;
        SUCCEEDS(AL_Recv(&got, type, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status));
        CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == tag);
        CHECK(same(mine, got, type));
        SUCCEEDS(AL_Free(got, type));
    }
}

static void pass(const void *mine, int label) { pass_as(mine, &shapes[label], label); }

static void random_structures(int structures) {
    for (int i = 0; i < structures; i++) {
        Random random = make_random((uint64_t)i, (uint32_t)(i % 11 * i % 60));
        pass_as(random.root, random.type, random.label);
        free_random(&random);
    }
}

static Square *square(double area) {
    Square *made = calloc(1, sizeof *made);
    if (!made) abort();
    made->area = area;
    return made;
}

static void known_structures(void) {
    pass(NULL, SQUARE);
    Square alone = {.area = 1};
    pass(&alone, SQUARE);
    alone.corner[0] = alone.corner[3] = &alone; /* loops to itself */
    pass(&alone, SQUARE);

    /* Figure 3 of the paper: A with B, B' and C, which B' points to as well. */
    Triangle c = {'c', 3};
    Circle b = {.radius = 1}, b2 = {.radius = 2, .inside = &c};
    Square a = {.left = &b2, .right = &b, .peak = &c};
    pass(&a, SQUARE);

    /* Layers in which each node points to all of the next one: 4^60 paths. */
    Square *layers[60][4];
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 4; j++) layers[i][j] = square(4 * i + j);
    for (int i = 0; i + 1 < 60; i++)
        for (int j = 0; j < 4; j++) memcpy(layers[i][j]->corner, layers[i + 1], sizeof layers[i][j]->corner);
    pass(layers[0][0], SQUARE);
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 4; j++) free(layers[i][j]);
}

/* A list, a ring, a tree and a graph of so many nodes. */
static void large_structures(size_t nodes) {
    Square **all = calloc(nodes, sizeof(Square *));
    if (!all) abort();
    for (size_t i = 0; i < nodes; i++) all[i] = square((double)i);
    for (size_t i = 0; i + 1 < nodes; i++) all[i]->corner[i % 4] = all[i + 1];
    pass(all[0], SQUARE);
    all[nodes - 1]->corner[0] = all[0];
    pass(all[nodes / 2], SQUARE);
    for (size_t i = 0; i < nodes; i++) memset(all[i]->corner, 0, sizeof all[i]->corner);
    for (size_t i = 1; i < nodes; i++) all[(i - 1) / 2]->corner[i % 2] = all[i];
    pass(all[0], SQUARE);
    uint64_t state = 1;
    for (size_t i = 0; i < nodes; i++) all[i]->corner[2] = all[random_below(&state, (uint32_t)nodes)];
    pass(all[0], SQUARE);
    for (size_t i = 0; i < nodes; i++) free(all[i]);
    free(all);
}

/* Each node of a received structure is freed by itself. */
static void nodes_are_blocks_of_malloc(void) {
    Square two = {.area = 2}, one = {.area = 1, .corner = {&two}};
    Circle circle = {.name = "name"};
    one.left = &circle;
    if (rank == 0) SUCCEEDS(AL_Send(&one, &shapes[SQUARE], 1, 3, MPI_COMM_WORLD));
    if (rank != 1) return;
    Square *got;
    SUCCEEDS(AL_Recv(&got, &shapes[SQUARE], 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    free(got->left->name);
    free(got->left);
    free(got->corner[0]);
    free(got);
}

/* The receiver hears why the sender gave up, in the first packet or after many, and the next transfer works. */
static void failures_are_told(size_t nodes) {
    for (int length = 1; (size_t)length <= 10000 + nodes; length *= 30) {
        Square *list = square(0), *last = list;
        for (int i = 1; i < length; i++) last = last->corner[0] = square(i);
        Circle circle = {.inside = (Triangle *)(void *)&last->area};
        last->left = &circle;
        if (rank == 0) {
            FAILS(AL_ERR_INTERIOR, AL_Send(list, &shapes[SQUARE], 1, 0, MPI_COMM_WORLD));
        } else if (rank == 1) {
            Square *got = list;
            FAILS(AL_ERR_REMOTE, AL_Recv(&got, &shapes[SQUARE], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(got == NULL && strstr(AL_Error_message(), "Circle.inside"));
        }
        Square *got = list;
        FAILS(rank == 0 ? AL_ERR_INTERIOR : AL_ERR_REMOTE, AL_Bcast(&got, &shapes[SQUARE], 0, MPI_COMM_WORLD));
        CHECK(got == (rank == 0 ? list : NULL));
        last->left = NULL;
        pass(list, SQUARE);
        SUCCEEDS(AL_Free(list, &shapes[SQUARE]));
    }
}

/* What the receiver does not want it gets rid of, and the next transfer works. */
static void other_types_are_refused(size_t nodes) {
    static const AL_Run run = {0, sizeof(double)};
    static AL_Type other = {NULL, "Other", sizeof(double), 1, &run, 0, NULL};
    static const AL_Schema table = {AL_SCHEMA_VERSION, 1, &other};
    other.schema = &table;
    other.size = sizeof(double);
    Square *list = NULL;
    for (size_t i = 0; i < nodes; i++) {
        Square *added = square((double)i);
        added->corner[0] = list;
        list = added;
    }
    void *got = list;
    if (rank == 0) {
        for (int i = 0; i < 3; i++) SUCCEEDS(AL_Send(list, &shapes[SQUARE], 1, 0, MPI_COMM_WORLD));
        int three[3] = {1, 2, 3};
        MPI_Send(three, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        FAILS(AL_ERR_TYPE, AL_Recv(&got, &shapes[BAG], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(strstr(AL_Error_message(), "Square") && strstr(AL_Error_message(), "Bag"));
        FAILS(AL_ERR_LAYOUT, AL_Recv(&got, &other, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        other.size = 0;
        FAILS(AL_ERR_SCHEMA, AL_Recv(&got, &other, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        FAILS(AL_ERR_STREAM, AL_Recv(&got, &shapes[SQUARE], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(got == NULL);
    }
    pass(list, SQUARE);
    SUCCEEDS(AL_Free(list, &shapes[SQUARE]));
}

static void arguments_are_checked(void) {
    Square *got;
    FAILS(AL_ERR_INIT, AL_Init(NULL));
    FAILS(AL_ERR_ARG, AL_Send(NULL, NULL, 0, 0, MPI_COMM_WORLD));
    FAILS(AL_ERR_ARG, AL_Send(NULL, &shapes[0], ranks, 0, MPI_COMM_WORLD));
    FAILS(AL_ERR_ARG, AL_Send(NULL, &shapes[0], -77, 0, MPI_COMM_WORLD));
    FAILS(AL_ERR_ARG, AL_Recv(NULL, &shapes[0], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    FAILS(AL_ERR_ARG, AL_Bcast(&got, &shapes[0], ranks, MPI_COMM_WORLD));
    MPI_Status status;
    SUCCEEDS(AL_Send(&got, &shapes[0], MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    SUCCEEDS(AL_Recv(&got, &shapes[0], MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status));
    CHECK(got == NULL && status.MPI_SOURCE == MPI_PROC_NULL);
}

static void broadcasts(int structures) {
    for (int i = 0; i < structures; i++) {
        Random random = make_random((uint64_t)i, (uint32_t)(i % 40));
        void *got = rank == i % ranks ? random.root : NULL;
        SUCCEEDS(AL_Bcast(&got, random.type, i % ranks, MPI_COMM_WORLD));
        if (rank == i % ranks) {
            CHECK(got == random.root);
        } else {
            CHECK(same(random.root, got, random.type));
            SUCCEEDS(AL_Free(got, random.type));
        }
        free_random(&random);
    }
}

int main(int argc, char **argv) {
    size_t nodes = argc > 2 ? strtoul(argv[2], NULL, 10) : 1000;
    int structures = argc > 1 ? atoi(argv[1]) : 100;
    AL_Options options = {.packet_bytes = argc > 3 ? strtoul(argv[3], NULL, 10) : 0};
    Square *none;
    FAILS(AL_ERR_INIT, AL_Send(NULL, &shapes[0], 0, 0, MPI_COMM_NULL));
    FAILS(AL_ERR_INIT, AL_Recv(&none, &shapes[0], 0, 0, MPI_COMM_NULL, MPI_STATUS_IGNORE));
    FAILS(AL_ERR_INIT, AL_Finalize());
    /* Begins MPI too. */
    SUCCEEDS(AL_Init(&options));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    arguments_are_checked();
    known_structures();
    random_structures(structures);
    large_structures(nodes);
    nodes_are_blocks_of_malloc();
    failures_are_told(nodes);
    other_types_are_refused(5);
    other_types_are_refused(nodes);
    broadcasts(structures / 2);
    SUCCEEDS(AL_Finalize());
    int finalized;
    MPI_Finalized(&finalized);
    CHECK(finalized);
    return report();
}
