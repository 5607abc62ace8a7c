/* What `anyrank types --autolink graph.h` writes: descriptions of linked structs for AutoLink. */
#ifndef AL_ROUTINES_H
#define AL_ROUTINES_H

#include "autolink.h"
#include "graph.h"

extern const AL_Type AutoLink_Types[4];

/* For the argument `type` of AL_Send and its kin. */
#define AutoLink_Vertex (&AutoLink_Types[0])
#define AutoLink_Edge (&AutoLink_Types[1])

#endif
