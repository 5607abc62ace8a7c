/* A graph: vertices of which each has a name, a list of edges and an array of weights. */
#ifndef GRAPH_H
#define GRAPH_H

/*~ AutoMap_Begin */

#define PORTS 2

struct Edge;

typedef struct Vertex {
    char *name;              /*~ AutoMap_String */
    int id;
    short ports_used;
    struct Edge *first;      /* NULL for a vertex without edges */
    unsigned char weights;
    double *weight;          /*~ AutoMap_Count(weights) */
    int neighbours;
    struct Vertex **neighbour; /*~ AutoMap_Count(neighbours) */
    struct Vertex *port[PORTS];
    void *window;            /*~ AutoMap_Opaque */
} Vertex /*~ AutoMap_TpUsed */;

typedef struct Edge {
    float length;
    struct Vertex *to;
    struct Edge *next;
} Edge /*~ AutoMap_TpUsed */;

/*~ AutoMap_End */

#endif
