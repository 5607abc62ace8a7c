/* Written by `anyrank types --autolink graph.h`: edit that file and run it again, instead of editing this one. */
#include "al_routines.h"

/* Labels: structs in the order of the file, then the other types that links point to. */
enum {
    LABEL_Vertex,
    LABEL_Edge,
    LABEL_double,
    LABEL_Vertex_pointer,
    AUTOLINK_LABELS
};

/* Another ABI than the one that this was generated for is an error here, not garbage at the receiver. */
_Static_assert(sizeof(Vertex) == 80, "Vertex has another size than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, name) == 0, "Vertex.name has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, id) == 8, "Vertex.id has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, ports_used) == 12, "Vertex.ports_used has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, first) == 16, "Vertex.first has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, weights) == 24, "Vertex.weights has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, weight) == 32, "Vertex.weight has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, neighbours) == 40, "Vertex.neighbours has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, neighbour) == 48, "Vertex.neighbour has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, port) == 56, "Vertex.port has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Vertex, window) == 72, "Vertex.window has another offset than when al_routines.c was generated");
_Static_assert(sizeof(Edge) == 24, "Edge has another size than when al_routines.c was generated");
_Static_assert(offsetof(Edge, length) == 0, "Edge.length has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Edge, to) == 8, "Edge.to has another offset than when al_routines.c was generated");
_Static_assert(offsetof(Edge, next) == 16, "Edge.next has another offset than when al_routines.c was generated");

static const AL_Schema autolink_schema;

static const AL_Run runs_of_Vertex[] = {
    AL_DATA(Vertex, id),
    AL_DATA(Vertex, ports_used),
    AL_DATA(Vertex, weights),
    AL_DATA(Vertex, neighbours),
};
static const AL_Link links_of_Vertex[] = {
    AL_STRING(Vertex, name),
    AL_ONE(Vertex, first, LABEL_Edge),
    AL_COUNTED(Vertex, weight, LABEL_double, weights),
    AL_COUNTED(Vertex, neighbour, LABEL_Vertex_pointer, neighbours),
    AL_ONE(Vertex, port, LABEL_Vertex),
    AL_OPAQUE(Vertex, window),
};

static const AL_Run runs_of_Edge[] = {
    AL_DATA(Edge, length),
};
static const AL_Link links_of_Edge[] = {
    AL_ONE(Edge, to, LABEL_Vertex),
    AL_ONE(Edge, next, LABEL_Edge),
};

static const AL_Run runs_of_double[] = {{0, sizeof(double)}};

static const AL_Link links_of_Vertex_pointer[] = {{"*", AL_LINK_ONE, 0, 1, LABEL_Vertex, 0, 0, 0}};

#define AUTOLINK_LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))
const AL_Type AutoLink_Types[AUTOLINK_LABELS] = {
    {&autolink_schema, "Vertex", sizeof(Vertex), AUTOLINK_LENGTH(runs_of_Vertex), runs_of_Vertex, AUTOLINK_LENGTH(links_of_Vertex), links_of_Vertex},
    {&autolink_schema, "Edge", sizeof(Edge), AUTOLINK_LENGTH(runs_of_Edge), runs_of_Edge, AUTOLINK_LENGTH(links_of_Edge), links_of_Edge},
    {&autolink_schema, "double", sizeof(double), AUTOLINK_LENGTH(runs_of_double), runs_of_double, 0, NULL},
    {&autolink_schema, "Vertex *", sizeof(Vertex *), 0, NULL, AUTOLINK_LENGTH(links_of_Vertex_pointer), links_of_Vertex_pointer},
};

static const AL_Schema autolink_schema = {AL_SCHEMA_VERSION, AUTOLINK_LABELS, AutoLink_Types};
