/* The oracle of the tests: whether two structures are the same but for their addresses. It reads the tables by itself and
 * shares nothing with the library. */
#ifndef SAME_H
#define SAME_H

#include <stdbool.h>

#include "autolink.h"

/* Whether what is reachable from `a` and `b` is equal: plain data byte by byte, strings, NULL, and blocks one to one.
 * Opaque pointers of `b` are NULL. On a difference prints it. */
bool same(const void *a, const void *b, const AL_Type *type);

#endif
