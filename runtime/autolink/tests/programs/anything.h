/* Any bytes at all for AutoLink's decoder. */
#ifndef ANYTHING_H
#define ANYTHING_H

#include <stddef.h>

/* Takes bytes for what arrived: the first says which type of shapes.h is at the root (the last bit: whether the rest is a first
 * packet of another program), then come packets, each behind its length in two bytes. Whatever comes out must be a structure,
 * or an error with everything freed; if it is not, aborts. */
void al_receive_anything(const unsigned char *bytes, size_t length);

#endif
