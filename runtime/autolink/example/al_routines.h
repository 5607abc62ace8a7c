/* Written by `anyrank types --autolink graph.h`: edit that file and run it again, instead of editing this one. */
#ifndef AL_ROUTINES_H
#define AL_ROUTINES_H

#include "autolink.h"

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const AL_Type AutoLink_Types[4];

#ifdef __cplusplus
}
#endif

/* For the argument `type` of AL_Send and its kin. */
#define AutoLink_Vertex (&AutoLink_Types[0])
#define AutoLink_Edge (&AutoLink_Types[1])

#endif
