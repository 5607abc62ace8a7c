#ifndef DISTRIBUTE_H
#define DISTRIBUTE_H

/* Numbers per process. */
enum { PART = 16 };

void hand_out(const double *part, int to);
void take_in(double *part, int from);

#endif
