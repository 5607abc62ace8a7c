/* Linked structures of all kinds that AutoLink follows. */
#ifndef STRUCTS_H
#define STRUCTS_H
/*~ AutoMap_Begin */
#define SIZE 10

/* The list of the paper. */
typedef struct LList *LL;
typedef struct LList {
    float data[SIZE];
    LL next;
} LinkedList /*~ AutoMap_TpUsed */;

/* A tree whose nodes have any number of children, and a struct by value with pointers in it. */
struct Values {
    short n;
    double *at; /*~ AutoMap_Count(n) */
};
struct Tree {
    char *name;
    struct Values values;
    struct Values pair[2];
    int children;
    struct Tree **child /*~ AutoMap_Count(children) */;
} /*~ AutoMap_TpUsed */;

/* A graph of two kinds of nodes, one of which is not marked; and a pointer to an array. */
struct Edge;
typedef struct Vertex {
    int id;
    struct Edge *first;
    double (*matrix)[2];
    void *private; /*~ AutoMap_Opaque */
} Vertex, *VertexPointer /*~ AutoMap_TpUsed */;
struct Edge {
    char weight;
    Vertex *to;
    struct Edge *next;
};
/*~ AutoMap_End */
#endif
