#ifndef LINE_H
#define LINE_H

/* Where this process stands in the line. */
struct line {
    int rank, size;
    int left, right; /* MPI_PROC_NULL at the ends */
};

/* line.c */
void line_find(struct line *line);

/* exchange.c */
void exchange_edges(const struct line *line, const double edge[2], double halo[2]);

#endif
