/* Types of every kind that AutoLink knows, and random structures made of them. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdint.h>

#include "autolink.h"

/* The three types of figure 3 of the paper, and more. */
typedef struct Triangle { /* without pointers, but with padding */
    char letter;
    int number;
} Triangle;

typedef struct Circle {
    float radius;
    struct Triangle *inside;
    short ring_length;
    struct Square **ring; /* counted by ring_length */
    char *name;           /* a string */
} Circle;

typedef struct Square {
    struct Circle *left, *right;
    struct Triangle *peak;
    double area;
    struct Square *corner[4];
    char tag;
    void *window; /* opaque */
} Square;

/* Elements of arrays that have pointers themselves. */
typedef struct Item {
    char *label; /* a string */
    struct Bag *owner;
    int32_t value;
} Item;

typedef struct Bag {
    uint8_t item_count;
    int64_t value_count;
    Item *items;    /* counted by item_count */
    double *values; /* counted by value_count */
    struct {
        float matrix[36][37]; /* more than the first packet holds */
        struct Square *square;
    } inner;
    struct Bag *next;
    Triangle *triangles; /* counted by item_count: elements with padding */
} Bag;

/* Alone in its table, as nodes of lists, trees and graphs mostly are. */
typedef struct Vertex {
    double weight;
    int number;
    struct Vertex *link[3];
    char mark;
    void *skipped; /* opaque */
    char wide[20];
} Vertex;

extern const AL_Type vertex_type;

enum { SQUARE, CIRCLE, TRIANGLE, ITEM, BAG, DOUBLE, SQUARE_POINTER, SHAPES };
extern const AL_Type shapes[SHAPES];

/* A source of numbers that is the same everywhere. */
uint32_t random_below(uint64_t *state, uint32_t bound);

/* Blocks of a random structure; free it with free_random. */
typedef struct {
    void **blocks;
    size_t count;
    void *root;
    const AL_Type *type; /* of the root */
    int label;           /* of this type */
} Random;
Random make_random(uint64_t seed, uint32_t size);

/* A graph of vertices. */
Random make_vertices(uint64_t seed, uint32_t size);
void free_random(Random *random);

#endif
