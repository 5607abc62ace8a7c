/* What `anyrank types --autolink graph.h` writes: descriptions of linked structs for AutoLink. */
#include "al_routines.h"

/* Labels: structs in the order of the file, then the other types that links point to. */
enum { LABEL_Vertex, LABEL_Edge, LABEL_double, LABEL_Vertex_pointer, LABELS };

/* Another ABI than the one that this was generated for is an error here, not garbage at the receiver. */
_Static_assert(sizeof(Vertex) == 80, "struct Vertex has another size than when al_routines.c was generated");
_Static_assert(sizeof(Edge) == 24, "struct Edge has another size than when al_routines.c was generated");

static const AL_Schema schema;

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

#define LENGTH(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))
const AL_Type AutoLink_Types[LABELS] = {
    {&schema, "Vertex", sizeof(Vertex), LENGTH(runs_of_Vertex), runs_of_Vertex, LENGTH(links_of_Vertex), links_of_Vertex},
    {&schema, "Edge", sizeof(Edge), LENGTH(runs_of_Edge), runs_of_Edge, LENGTH(links_of_Edge), links_of_Edge},
    {&schema, "double", sizeof(double), LENGTH(runs_of_double), runs_of_double, 0, NULL},
    {&schema, "Vertex *", sizeof(Vertex *), 0, NULL, LENGTH(links_of_Vertex_pointer), links_of_Vertex_pointer},
};

static const AL_Schema schema = {AL_SCHEMA_VERSION, LABELS, AutoLink_Types};
