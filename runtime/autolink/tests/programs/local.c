/* Deep copies and freeing, within one process: `local [structures]`. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define CHECK_WITHOUT_MPI
#include "check.h"
#include "same.h"
#include "shapes.h"

static void copies_are_the_same(int structures) {
    for (int i = 0; i < structures; i++) {
        Random random = make_random((uint64_t)i, (uint32_t)(i % 7 * i % 50));
        void *copy = NULL, *again = NULL;
        SUCCEEDS(AL_Copy(random.root, &copy, random.type));
        CHECK(same(random.root, copy, random.type));
        free_random(&random);
        /* The copy stands alone. */
        SUCCEEDS(AL_Copy(copy, &again, random.type));
        CHECK(same(copy, again, random.type));
        SUCCEEDS(AL_Free(copy, random.type));
        SUCCEEDS(AL_Free(again, random.type));
    }
    void *nothing = &nothing;
    SUCCEEDS(AL_Copy(NULL, &nothing, &shapes[BAG]));
    CHECK(nothing == NULL);
    SUCCEEDS(AL_Free(NULL, &shapes[BAG]));
}

/* Every block is one of malloc, whatever it was copied from. */
static void nodes_are_freed_one_by_one(void) {
    Square pool[3] = {{.corner = {&pool[1], &pool[2]}}, {.corner = {&pool[0]}}, {.corner = {&pool[2]}}}, *copy;
    Square *ring[2] = {&pool[1], &pool[2]};
    Circle circle = {.ring_length = 2, .ring = ring, .name = "static"};
    pool[0].left = &circle;
    SUCCEEDS(AL_Copy(&pool[0], &copy, &shapes[SQUARE]));
    CHECK(same(&pool[0], copy, &shapes[SQUARE]));
    CHECK(copy->left->ring[0] == copy->corner[0] && copy->corner[1]->corner[0] == copy->corner[1]);
    free(copy->left->ring);
    free(copy->left->name);
    free(copy->left);
    free(copy->corner[0]);
    free(copy->corner[1]);
    free(copy);
}

static void overlapping_is_refused(void) {
    void *copy;
    Square squares[4] = {{.area = 1}};
    /* A pointer to one element of an array, when the array is known. */
    Item items[3] = {{.value = 1}};
    Bag bag = {.item_count = 3, .items = items};
    Triangle *third = &(Triangle[4]){{0}}[2];
    squares[0].peak = third;
    bag.inner.square = &squares[0];
    bag.triangles = third - 2; /* three elements; the third is squares[0].peak too */
    FAILS(AL_ERR_INTERIOR, AL_Copy(&bag, &copy, &shapes[BAG]));
    CHECK(copy == NULL && strstr(AL_Error_message(), "Square.peak"));
    /* The first element is the array. */
    squares[0].peak = third - 2;
    SUCCEEDS(AL_Copy(&bag, &copy, &shapes[BAG]));
    CHECK(((Bag *)copy)->inner.square->peak == ((Bag *)copy)->triangles);
    SUCCEEDS(AL_Free(copy, &shapes[BAG]));
    /* An array that was one element before. */
    Bag first = {.inner.square = &squares[0], .next = &bag};
    FAILS(AL_ERR_INTERIOR, AL_Copy(&first, &copy, &shapes[BAG]));
    CHECK(strstr(AL_Error_message(), "Bag.triangles"));
    /* A node within a node: the same address, another type. */
    double *area = &squares[1].area;
    squares[1].corner[0] = &squares[1];
    Bag inside = {.value_count = 1, .values = area, .inner.square = &squares[1]};
    FAILS(AL_ERR_INTERIOR, AL_Copy(&inside, &copy, &shapes[BAG]));
    FAILS(AL_ERR_INTERIOR, AL_Free(&inside, &shapes[BAG]));
    /* Found also if the inner one comes first, and if memory is not aligned. */
    _Alignas(16) char bytes[128] = {0};
    for (int shift = 0; shift < 9; shift++) {
        for (int length = 1; length < 9; length++) {
            int64_t count = length;
            Bag one = {.value_count = count, .values = (double *)(void *)(bytes + shift)};
            Bag two = {.value_count = 1, .values = (double *)(void *)(bytes + shift + 8 * (length - 1) + 4), .next = &one};
            FAILS(AL_ERR_INTERIOR, AL_Copy(&two, &copy, &shapes[BAG]));
            two.values = (double *)(void *)(bytes + shift + 8 * length);
            SUCCEEDS(AL_Copy(&two, &copy, &shapes[BAG]));
            CHECK(same(&two, copy, &shapes[BAG]));
            SUCCEEDS(AL_Free(copy, &shapes[BAG]));
        }
    }
    /* A string in a node; strings that end alike are two. */
    Circle circle = {.name = (char *)&circle.radius};
    FAILS(AL_ERR_INTERIOR, AL_Copy(&circle, &copy, &shapes[CIRCLE]));
    char text[] = "foobar";
    Circle foobar = {.name = text}, bar = {.name = text + 3};
    Square both = {.left = &foobar, .right = &bar};
    SUCCEEDS(AL_Copy(&both, &copy, &shapes[SQUARE]));
    CHECK(same(&both, copy, &shapes[SQUARE]));
    SUCCEEDS(AL_Free(copy, &shapes[SQUARE]));
}

/* Nodes of one type in a pool, of which the last one is shifted. */
static void overlapping_nodes_are_refused(void) {
    enum { NODES = 200 };
    static char pool[NODES * sizeof(Vertex) + 64];
    void *copy;
    for (size_t shift = 0; shift <= sizeof(Vertex); shift++) {
        memset(pool, 0, sizeof pool);
        Vertex *nodes = (Vertex *)(void *)(pool + (uintptr_t)pool % 8);
        for (int i = 0; i + 1 < NODES; i++) {
            Vertex *next = (Vertex *)(void *)((char *)&nodes[i + 1] - (i + 2 == NODES ? shift : 0));
            memcpy(&nodes[i].link[i % 3], &next, sizeof next);
        }
        /* On another node it is that node. */
        bool fits = shift == 0 || shift == sizeof(Vertex);
        FAILS(fits ? AL_SUCCESS : AL_ERR_INTERIOR, AL_Copy(nodes, &copy, &vertex_type));
        if (fits) SUCCEEDS(AL_Free(copy, &vertex_type));
        else CHECK(copy == NULL && strstr(AL_Error_message(), "Vertex.link"));
    }
}

static void counts_are_checked(void) {
    void *copy;
    Square *ring[1] = {NULL};
    Circle circle = {.ring_length = -1, .ring = ring};
    FAILS(AL_ERR_COUNT, AL_Copy(&circle, &copy, &shapes[CIRCLE]));
    CHECK(strstr(AL_Error_message(), "Circle.ring"));
    double value = 0;
    Bag bag = {.value_count = INT64_MAX, .values = &value};
    FAILS(AL_ERR_COUNT, AL_Copy(&bag, &copy, &shapes[BAG]));
    /* NULL has no elements to count. */
    circle.ring = NULL;
    circle.ring_length = 7;
    SUCCEEDS(AL_Copy(&circle, &copy, &shapes[CIRCLE]));
    CHECK(((Circle *)copy)->ring == NULL && ((Circle *)copy)->ring_length == 7);
    free(copy);
}

/* Tables that people might write. */
static void tables_are_checked(void) {
    void *copy;
    static const AL_Run runs[] = {{0, 8}}, late[] = {{8, 9}}, twice[] = {{0, 8}, {4, 8}};
    static const AL_Link link[] = {{"p", AL_LINK_ONE, 8, 1, 0, 0, 0, 0}}, beyond[] = {{"p", AL_LINK_ONE, 12, 1, 0, 0, 0, 0}},
                         nobody[] = {{"p", AL_LINK_ONE, 8, 1, 3, 0, 0, 0}}, on_data[] = {{"p", AL_LINK_ONE, 4, 1, 0, 0, 0, 0}},
                         uncounted[] = {{"p", AL_LINK_COUNTED, 8, 1, 0, 8, 4, 1}},
                         odd[] = {{"p", AL_LINK_COUNTED, 8, 1, 0, 0, 3, 1}}, kind[] = {{"p", (AL_LinkKind)9, 8, 1, 0, 0, 0, 0}};
    static AL_Type type = {NULL, "T", 16, 1, runs, 1, link};
    static AL_Schema table = {AL_SCHEMA_VERSION, 1, &type};
    const AL_Link *wrong[] = {beyond, nobody, on_data, uncounted, odd, kind};
    char node[16] = {0};
    FAILS(AL_ERR_SCHEMA, AL_Copy(node, &copy, &type));
    type.schema = &table;
    SUCCEEDS(AL_Copy(node, &copy, &type));
    free(copy);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        type.links = wrong[i];
        FAILS(AL_ERR_SCHEMA, AL_Copy(node, &copy, &type));
    }
    type.links = link;
    type.runs = late;
    FAILS(AL_ERR_SCHEMA, AL_Copy(node, &copy, &type));
    type.runs = twice, type.run_count = 2, type.link_count = 0;
    FAILS(AL_ERR_SCHEMA, AL_Copy(node, &copy, &type));
    table.version = 99;
    FAILS(AL_ERR_SCHEMA, AL_Copy(node, &copy, &type));
    FAILS(AL_ERR_ARG, AL_Copy(node, &copy, NULL));
    FAILS(AL_ERR_ARG, AL_Copy(node, NULL, &type));
}

/* What is neither plain data nor a pointer does not arrive: it is zero, not what was in the memory before. */
static void what_is_left_out_is_zero(void) {
    static const AL_Run runs[] = {{0, 8}};
    static const AL_Link links[] = {{"next", AL_LINK_ONE, 8, 1, 0, 0, 0, 0}};
    static AL_Type type = {NULL, "Gap", 32, 1, runs, 1, links};
    static AL_Schema table = {AL_SCHEMA_VERSION, 1, &type};
    type.schema = &table;
    struct gap {
        int64_t value;
        struct gap *next;
        int64_t left_out[2];
    } second = {2, NULL, {3, 4}}, first = {1, &second, {5, 6}}, *copy;
#ifdef __GLIBC__
    mallopt(M_PERTURB, 85);
#endif
    SUCCEEDS(AL_Copy(&first, &copy, &type));
    CHECK(copy->value == 1 && copy->next->value == 2 && !copy->next->next);
    CHECK(!copy->left_out[0] && !copy->left_out[1] && !copy->next->left_out[0] && !copy->next->left_out[1]);
    SUCCEEDS(AL_Free(copy, &type));
#ifdef __GLIBC__
    mallopt(M_PERTURB, 0);
#endif
}

/* Beyond what a stack would bear. */
static void long_lists_are_copied(void) {
    Square *list = NULL, *copy;
    for (int i = 0; i < 300000; i++) {
        Square *added = calloc(1, sizeof *added);
        if (!added) abort();
        added->area = i;
        added->corner[i % 4] = list;
        list = added;
    }
    SUCCEEDS(AL_Copy(list, &copy, &shapes[SQUARE]));
    CHECK(same(list, copy, &shapes[SQUARE]));
    SUCCEEDS(AL_Free(list, &shapes[SQUARE]));
    SUCCEEDS(AL_Free(copy, &shapes[SQUARE]));
}

int main(int argc, char **argv) {
    copies_are_the_same(argc > 1 ? atoi(argv[1]) : 200);
    nodes_are_freed_one_by_one();
    overlapping_is_refused();
    overlapping_nodes_are_refused();
    counts_are_checked();
    tables_are_checked();
    what_is_left_out_is_zero();
    long_lists_are_copied();
    return report();
}
