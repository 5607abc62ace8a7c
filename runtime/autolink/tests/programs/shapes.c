#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const AL_Schema schema;

static const AL_Run runs_of_triangle[] = {AL_DATA(Triangle, letter), AL_DATA(Triangle, number)};

static const AL_Run runs_of_circle[] = {AL_DATA(Circle, ring_length), AL_DATA(Circle, radius)};
static const AL_Link links_of_circle[] = {
    AL_ONE(Circle, inside, TRIANGLE),
    AL_COUNTED(Circle, ring, SQUARE_POINTER, ring_length),
    AL_STRING(Circle, name),
};

static const AL_Run runs_of_square[] = {AL_DATA(Square, area), AL_DATA(Square, tag)};
static const AL_Link links_of_square[] = {
    AL_ONE(Square, left, CIRCLE),   AL_ONE(Square, right, CIRCLE), AL_ONE(Square, peak, TRIANGLE),
    AL_ONE(Square, corner, SQUARE), AL_OPAQUE(Square, window),
};

static const AL_Run runs_of_item[] = {AL_DATA(Item, value)};
static const AL_Link links_of_item[] = {AL_STRING(Item, label), AL_ONE(Item, owner, BAG)};

static const AL_Run runs_of_bag[] = {AL_DATA(Bag, item_count), AL_DATA(Bag, value_count), AL_DATA(Bag, inner.matrix)};
static const AL_Link links_of_bag[] = {
    AL_COUNTED(Bag, items, ITEM, item_count),
    AL_COUNTED(Bag, values, DOUBLE, value_count),
    AL_ONE(Bag, inner.square, SQUARE),
    AL_ONE(Bag, next, BAG),
    AL_COUNTED(Bag, triangles, TRIANGLE, item_count),
};

static const AL_Run runs_of_double[] = {{0, sizeof(double)}};
static const AL_Link links_of_pointer[] = {{"*", AL_LINK_ONE, 0, 1, SQUARE, 0, 0, 0}};

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))
#define TYPE(NAME, RUNS, LINKS) {&schema, #NAME, sizeof(NAME), LENGTH(RUNS), RUNS, LENGTH(LINKS), LINKS}
const AL_Type shapes[SHAPES] = {
    TYPE(Square, runs_of_square, links_of_square),
    TYPE(Circle, runs_of_circle, links_of_circle),
    {&schema, "Triangle", sizeof(Triangle), LENGTH(runs_of_triangle), runs_of_triangle, 0, NULL},
    TYPE(Item, runs_of_item, links_of_item),
    TYPE(Bag, runs_of_bag, links_of_bag),
    {&schema, "double", sizeof(double), 1, runs_of_double, 0, NULL},
    {&schema, "Square *", sizeof(Square *), 0, NULL, 1, links_of_pointer},
};
static const AL_Schema schema = {AL_SCHEMA_VERSION, SHAPES, shapes};

static const AL_Schema vertex_schema;
static const AL_Run runs_of_vertex[] = {
    AL_DATA(Vertex, weight), AL_DATA(Vertex, number), AL_DATA(Vertex, mark), AL_DATA(Vertex, wide)};
static const AL_Link links_of_vertex[] = {AL_ONE(Vertex, link, 0), AL_OPAQUE(Vertex, skipped)};
const AL_Type vertex_type = {&vertex_schema, "Vertex",       sizeof(Vertex), LENGTH(runs_of_vertex),
                             runs_of_vertex, LENGTH(links_of_vertex), links_of_vertex};
static const AL_Schema vertex_schema = {AL_SCHEMA_VERSION, 1, &vertex_type};

uint32_t random_below(uint64_t *state, uint32_t bound) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return bound ? (uint32_t)((*state >> 33) % bound) : 0;
}

/* A structure under construction. */
typedef struct {
    Random made;
    size_t room;
    uint64_t state;
    uint32_t size; /* of each of the pools below */
    Square **squares;
    Circle **circles;
    Triangle **triangles;
    Bag **bags;
    char **strings;
} Maker;

static void *block(Maker *m, size_t bytes) {
    if (m->made.count == m->room) {
        m->room = m->room ? 2 * m->room : 64;
        m->made.blocks = realloc(m->made.blocks, m->room * sizeof(void *));
        if (!m->made.blocks) abort();
    }
    /* Zeroed, so that padding is defined: the oracle does not look at it, but valgrind would at what it does not know. */
    void *made = calloc(1, bytes ? bytes : 1);
    if (!made) abort();
    return m->made.blocks[m->made.count++] = made;
}

/* Any member of a pool, or NULL. */
#define ANY(M, POOL) (random_below(&(M)->state, 5) ? (M)->POOL[random_below(&(M)->state, (M)->size)] : NULL)
#define POOL(M, NAME, TYPE) ((M)->NAME = block(M, (M)->size * sizeof(TYPE *)))

static char *make_string(Maker *m) {
    uint32_t length = random_below(&m->state, 100) ? random_below(&m->state, 30) : random_below(&m->state, 20000);
    char *string = block(m, length + 1);
    for (uint32_t i = 0; i < length; i++) string[i] = (char)('a' + random_below(&m->state, 26));
    return string;
}

static void fill_square(Maker *m, Square *s) {
    s->left = ANY(m, circles);
    s->right = ANY(m, circles);
    s->peak = ANY(m, triangles);
    s->area = random_below(&m->state, 1000000) / 7.0;
    for (int i = 0; i < 4; i++) s->corner[i] = random_below(&m->state, 2) ? ANY(m, squares) : NULL;
    s->tag = (char)random_below(&m->state, 128);
    s->window = m;
}

static void fill_circle(Maker *m, Circle *c) {
    c->radius = (float)random_below(&m->state, 1000) / 3;
    c->inside = ANY(m, triangles);
    c->ring_length = (short)random_below(&m->state, 6);
    c->ring = block(m, (size_t)c->ring_length * sizeof *c->ring);
    for (int i = 0; i < c->ring_length; i++) c->ring[i] = ANY(m, squares);
    c->name = ANY(m, strings);
}

static void fill_bag(Maker *m, Bag *b) {
    b->item_count = (uint8_t)random_below(&m->state, 200);
    /* Seldom more than a packet. */
    b->value_count = random_below(&m->state, 20) ? random_below(&m->state, 50) : random_below(&m->state, 30000);
    b->items = block(m, b->item_count * sizeof *b->items);
    b->triangles = block(m, b->item_count * sizeof *b->triangles);
    for (int i = 0; i < b->item_count; i++) {
        b->items[i] = (Item){ANY(m, strings), ANY(m, bags), (int32_t)random_below(&m->state, 1 << 30)};
        b->triangles[i].letter = (char)i;
        b->triangles[i].number = -i;
    }
    b->values = random_below(&m->state, 4) ? block(m, (size_t)b->value_count * sizeof *b->values) : NULL;
    for (int64_t i = 0; b->values && i < b->value_count; i++) b->values[i] = (double)i / 3;
    for (int i = 0; i < 36; i++)
        for (int j = 0; j < 37; j++) b->inner.matrix[i][j] = (float)(i * j);
    b->inner.square = ANY(m, squares);
    b->next = ANY(m, bags);
}

Random make_vertices(uint64_t seed, uint32_t size) {
    Maker maker = {.state = seed, .size = size + 1}, *m = &maker;
    Vertex **vertices = malloc(m->size * sizeof *vertices);
    if (!vertices) abort();
    for (uint32_t i = 0; i < m->size; i++) vertices[i] = block(m, sizeof(Vertex));
    for (uint32_t i = 0; i < m->size; i++) {
        Vertex *v = vertices[i];
        v->weight = random_below(&m->state, 1000000) / 7.0;
        v->number = (int)i;
        v->mark = (char)i;
        v->skipped = m;
        for (size_t c = 0; c < sizeof v->wide; c++) v->wide[c] = (char)(i + c);
        for (int l = 0; l < 3; l++) v->link[l] = random_below(&m->state, 5) ? vertices[random_below(&m->state, m->size)] : NULL;
    }
    m->made.root = vertices[0];
    m->made.type = &vertex_type;
    free(vertices);
    return m->made;
}

Random make_random(uint64_t seed, uint32_t size) {
    if (seed % 6 == 5) return make_vertices(seed, size);
    Maker maker = {.state = seed, .size = size + 1}, *m = &maker;
    POOL(m, squares, Square);
    POOL(m, circles, Circle);
    POOL(m, triangles, Triangle);
    POOL(m, bags, Bag);
    POOL(m, strings, char);
    for (uint32_t i = 0; i < m->size; i++) {
        m->squares[i] = block(m, sizeof(Square));
        m->circles[i] = block(m, sizeof(Circle));
        m->triangles[i] = block(m, sizeof(Triangle));
        m->bags[i] = block(m, sizeof(Bag));
        m->strings[i] = make_string(m);
    }
    for (uint32_t i = 0; i < m->size; i++) {
        *m->triangles[i] = (Triangle){(char)i, (int)random_below(&m->state, 1 << 30)};
        fill_square(m, m->squares[i]);
        fill_circle(m, m->circles[i]);
        fill_bag(m, m->bags[i]);
    }
    switch (random_below(&m->state, 4)) {
    case 0: m->made.label = SQUARE, m->made.root = m->squares[0]; break;
    case 1: m->made.label = CIRCLE, m->made.root = m->circles[0]; break;
    default: m->made.label = BAG, m->made.root = m->bags[0]; break;
    }
    m->made.type = &shapes[m->made.label];
    return m->made;
}

void free_random(Random *random) {
    for (size_t i = 0; i < random->count; i++) free(random->blocks[i]);
    free(random->blocks);
}
