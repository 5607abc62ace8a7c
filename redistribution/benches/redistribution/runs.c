/* Times ways to redistribute arrays, after a check of each that every element is where it belongs.
   The cases are in cases.h, which the bench writes. Prints `name way seconds` for each, the median of rounds in which all
   ways take their turn, as the slowest process sees it; and what steps of single messages take. */

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define MOST_DIMENSIONS 2
#define MOST_ROUNDS 41
#define LEAST_ROUNDS 7
/* Seconds after which no further round of a case is begun. */
#define ENOUGH 6.0

struct side {
    long long processes[MOST_DIMENSIONS], block[MOST_DIMENSIONS];
};

struct bench_case {
    const char *name;
    int dimensions, repeat;
    long long length[MOST_DIMENSIONS];
    struct side from, to;
    int (*move)(const void *, void *, MPI_Datatype, MPI_Comm);
    int (*move_by)(const void *, void *, MPI_Datatype, MPI_Comm, int);
    int (*caterpillar)(const void *, void *, MPI_Datatype, MPI_Comm, int);
};

#include "cases.h"

/* Elements that lie together, for MPI_Alltoallv. */
struct run {
    long long local, length;
};

/* What a process has of one side, and for each peer where its elements are. */
struct part {
    long long extent[MOST_DIMENSIONS], total;
    struct run *runs;
    size_t *begin;
    int *counts, *starts;
};

static int ranks, rank;

static long long owned(long long length, long long processes, long long block, long long coordinate)
{
    long long rest = length % (processes * block) - coordinate * block;
    rest = rest < 0 ? 0 : rest > block ? block : rest;
    return length / (processes * block) * block + rest;
}

/* The index that the element at this place of the local array has in one dimension. */
static long long global(const struct side *side, int dimension, long long coordinate, long long local)
{
    long long block = side->block[dimension];
    return (local / block * side->processes[dimension] + coordinate) * block + local % block;
}

static void coordinates(const struct side *side, int dimensions, long long result[])
{
    long long rest = rank;
    int dimension;
    for (dimension = dimensions - 1; dimension >= 0; --dimension) {
        result[dimension] = rest % side->processes[dimension];
        rest /= side->processes[dimension];
    }
}

/* Local arrays lie in memory as in ScaLAPACK: the first index next to each other. */
static void indices_of(const struct bench_case *test, const struct side *side, const struct part *part, long long place,
                       long long index[])
{
    long long mine[MOST_DIMENSIONS];
    int dimension;
    coordinates(side, test->dimensions, mine);
    for (dimension = 0; dimension < test->dimensions; ++dimension) {
        index[dimension] = global(side, dimension, mine[dimension], place % part->extent[dimension]);
        place /= part->extent[dimension];
    }
}

static void make_part(const struct bench_case *test, const struct side *side, const struct side *other, struct part *part)
{
    long long mine[MOST_DIMENSIONS], place, index[MOST_DIMENSIONS], last = -1;
    int dimension, pass, peer, previous = -1;
    size_t *next = calloc((size_t)ranks + 1, sizeof *next);
    coordinates(side, test->dimensions, mine);
    part->total = 1;
    for (dimension = 0; dimension < test->dimensions; ++dimension) {
        part->extent[dimension] =
            owned(test->length[dimension], side->processes[dimension], side->block[dimension], mine[dimension]);
        part->total *= part->extent[dimension];
    }
    part->begin = calloc((size_t)ranks + 1, sizeof *part->begin);
    part->counts = calloc((size_t)ranks, sizeof *part->counts);
    part->starts = calloc((size_t)ranks, sizeof *part->starts);
    part->runs = NULL;
    for (pass = 0; pass < 2; ++pass) {
        previous = -1;
        for (place = 0; place < part->total; ++place) {
            indices_of(test, side, part, place, index);
            peer = 0;
            for (dimension = 0; dimension < test->dimensions; ++dimension)
                peer = peer * (int)other->processes[dimension] +
                       (int)(index[dimension] / other->block[dimension] % other->processes[dimension]);
            if (pass == 0)
                ++part->counts[peer];
            if (peer == previous && place == last + 1) {
                if (pass == 1)
                    ++part->runs[next[peer] - 1].length;
            } else if (pass == 0) {
                ++part->begin[peer + 1];
            } else {
                struct run run = {0, 1};
                run.local = place;
                part->runs[next[peer]++] = run;
            }
            previous = peer;
            last = place;
        }
        if (pass == 0) {
            for (peer = 0; peer < ranks; ++peer)
                part->begin[peer + 1] += part->begin[peer];
            memcpy(next, part->begin, ((size_t)ranks + 1) * sizeof *next);
            for (peer = 1; peer < ranks; ++peer)
                part->starts[peer] = part->starts[peer - 1] + part->counts[peer - 1];
            part->runs = malloc((part->begin[ranks] + 1) * sizeof *part->runs);
        }
    }
    free(next);
}

static void free_part(struct part *part)
{
    free(part->runs);
    free(part->begin);
    free(part->counts);
    free(part->starts);
}

/* The peer of MPI_Alltoallv's users: lists of runs that were made before, and buffers that are there. */
static void all_to_all(const struct part *from, const struct part *to, const double *source, double *target, double *packed,
                       double *arrived)
{
    double *next = packed;
    size_t run;
    for (run = 0; run < from->begin[ranks]; ++run) {
        memcpy(next, source + from->runs[run].local, (size_t)from->runs[run].length * sizeof(double));
        next += from->runs[run].length;
    }
    MPI_Alltoallv(packed, from->counts, from->starts, MPI_DOUBLE, arrived, to->counts, to->starts, MPI_DOUBLE,
                  MPI_COMM_WORLD);
    next = arrived;
    for (run = 0; run < to->begin[ranks]; ++run) {
        memcpy(target + to->runs[run].local, next, (size_t)to->runs[run].length * sizeof(double));
        next += to->runs[run].length;
    }
}

#ifdef HAVE_SCALAPACK
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, char *order, int rows, int columns);
void Cblacs_gridexit(int context);
void Cpdgemr2d(int m, int n, double *a, int ia, int ja, int *desca, double *b, int ib, int jb, int *descb, int context);

/* A descriptor of a matrix, in a process grid that is made for it. */
static void describe(const struct bench_case *test, const struct side *side, const struct part *part, int descriptor[9])
{
    int context, columns = test->dimensions > 1;
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row", (int)side->processes[0], columns ? (int)side->processes[1] : 1);
    descriptor[0] = 1;
    descriptor[1] = context;
    descriptor[2] = (int)test->length[0];
    descriptor[3] = columns ? (int)test->length[1] : 1;
    descriptor[4] = (int)side->block[0];
    descriptor[5] = columns ? (int)side->block[1] : 1;
    descriptor[6] = descriptor[7] = 0;
    descriptor[8] = part->extent[0] > 0 ? (int)part->extent[0] : 1;
}
#endif

enum { CHOSEN, SCHEDULED, AT_ONCE, CATERPILLAR, ALL_TO_ALL, GEMR2D, WAYS };
static const char *const way_names[WAYS] = {"chosen", "scheduled", "at-once", "caterpillar", "alltoallv", "pdgemr2d"};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare);
    return times[count / 2];
}

/* Puts the ways into another order, the same one on each process. A way finds the caches as the one before it has left them, so
   none may always follow the same one. */
static void shuffle(int *order, int ways, unsigned long *state)
{
    int place, other, way;
    for (place = 0; place < ways; ++place) {
        *state = (*state * 1103515245ul + 12345ul) & 0x7ffffffful;
        other = (int)((*state >> 16) % (unsigned long)(place + 1));
        way = order[other];
        order[other] = order[place];
        order[place] = way;
    }
}

static int run_case(const struct bench_case *test)
{
    static double times[WAYS][MOST_ROUNDS];
    struct part from, to;
    double *source, *target, *packed, *arrived;
    long long place, index[MOST_DIMENSIONS];
    double start = 0;
    int order[WAYS], turn, way, round, rounds = 0, enough = 0, repeat, ways = WAYS, wrong = 0, all;
    unsigned long state = 1;
#ifdef HAVE_SCALAPACK
    int from_descriptor[9], to_descriptor[9];
#endif
    make_part(test, &test->from, &test->to, &from);
    make_part(test, &test->to, &test->from, &to);
    source = malloc((size_t)(from.total + 1) * sizeof *source);
    target = malloc((size_t)(to.total + 1) * sizeof *target);
    packed = malloc((size_t)(from.total + 1) * sizeof *packed);
    arrived = malloc((size_t)(to.total + 1) * sizeof *arrived);
    for (place = 0; place < from.total; ++place) {
        indices_of(test, &test->from, &from, place, index);
        source[place] = (double)(index[0] + (test->dimensions > 1 ? index[1] * test->length[0] : 0));
    }
#ifdef HAVE_SCALAPACK
    describe(test, &test->from, &from, from_descriptor);
    describe(test, &test->to, &to, to_descriptor);
#else
    ways = GEMR2D;
#endif
    for (way = 0; way < ways; ++way)
        order[way] = way;
    for (round = -1; round < MOST_ROUNDS && !enough; ++round) {
        if (round == 0)
            start = MPI_Wtime();
        shuffle(order, ways, &state);
        for (turn = 0; turn < ways; ++turn) {
            double begin, mine, slowest;
            way = order[turn];
            if (round < 0)
                memset(target, 0xff, (size_t)(to.total + 1) * sizeof *target);
            MPI_Barrier(MPI_COMM_WORLD);
            begin = MPI_Wtime();
            for (repeat = 0; repeat < (round < 0 ? 1 : test->repeat); ++repeat) {
                switch (way) {
                case CHOSEN: test->move(source, target, MPI_DOUBLE, MPI_COMM_WORLD); break;
                case SCHEDULED: test->move_by(source, target, MPI_DOUBLE, MPI_COMM_WORLD, 1); break;
                case AT_ONCE: test->move_by(source, target, MPI_DOUBLE, MPI_COMM_WORLD, 0); break;
                case CATERPILLAR: test->caterpillar(source, target, MPI_DOUBLE, MPI_COMM_WORLD, 1); break;
                case ALL_TO_ALL: all_to_all(&from, &to, source, target, packed, arrived); break;
#ifdef HAVE_SCALAPACK
                case GEMR2D:
                    Cpdgemr2d(from_descriptor[2], from_descriptor[3], source, 1, 1, from_descriptor, target, 1, 1,
                              to_descriptor, from_descriptor[1]);
                    break;
#endif
                default: break;
                }
            }
            mine = (MPI_Wtime() - begin) / test->repeat;
            MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            if (round >= 0) {
                times[way][round] = slowest;
                continue;
            }
            for (place = 0; place < to.total; ++place) {
                indices_of(test, &test->to, &to, place, index);
                if (target[place] != (double)(index[0] + (test->dimensions > 1 ? index[1] * test->length[0] : 0))) {
                    wrong = 1;
                    fprintf(stderr, "%s, %s: rank %d has a wrong element at %lld\n", test->name, way_names[way], rank, place);
                    break;
                }
            }
        }
        if (round >= 0)
            rounds = round + 1;
        enough = rounds >= LEAST_ROUNDS && MPI_Wtime() - start > ENOUGH;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (rank == 0)
        for (way = 0; way < ways; ++way)
            printf("case %s %s %.9f\n", test->name, way_names[way], median(times[way], rounds));
#ifdef HAVE_SCALAPACK
    Cblacs_gridexit(from_descriptor[1]);
    Cblacs_gridexit(to_descriptor[1]);
#endif
    free_part(&from);
    free_part(&to);
    free(source);
    free(target);
    free(packed);
    free(arrived);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

/* What one step takes in which every process sends so many bytes to the next one; and the same where each has as much for
   seven others under way at once, for each seventh of that. */
static void measure_steps(void)
{
    enum { ROUNDS = 15, PEERS = 7 };
    static const int sizes[] = {8, 1024, 16384, 131072, 1048576};
    double times[2][ROUNDS];
    int size, round, kind, repeat, repeats, peer;
    for (size = 0; size < (int)(sizeof sizes / sizeof *sizes); ++size) {
        int bytes = sizes[size];
        char *out = malloc((size_t)bytes * PEERS), *in = malloc((size_t)bytes * PEERS);
        MPI_Request requests[2 * PEERS];
        memset(out, 1, (size_t)bytes * PEERS);
        memset(in, 1, (size_t)bytes * PEERS);
        repeats = bytes < 10000 ? 10 : 2;
        for (round = 0; round < ROUNDS; ++round)
            for (kind = 0; kind < 2; ++kind) {
                double begin, mine, slowest;
                MPI_Barrier(MPI_COMM_WORLD);
                begin = MPI_Wtime();
                for (repeat = 0; repeat < repeats; ++repeat) {
                    for (peer = 0; peer < PEERS; ++peer) {
                        int to = (rank + peer + 1) % ranks, from = (rank + ranks - peer - 1) % ranks;
                        int at = kind ? 2 * peer : 0;
                        MPI_Irecv(in + (size_t)peer * (size_t)bytes, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, &requests[at]);
                        MPI_Isend(out + (size_t)peer * (size_t)bytes, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, &requests[at + 1]);
                        if (kind == 0)
                            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
                    }
                    if (kind == 1)
                        MPI_Waitall(2 * PEERS, requests, MPI_STATUSES_IGNORE);
                }
                mine = (MPI_Wtime() - begin) / repeats / PEERS;
                MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
                times[kind][round] = slowest;
            }
        if (rank == 0)
            printf("step %d %.9f %.9f\n", bytes, median(times[0], ROUNDS), median(times[1], ROUNDS));
        free(out);
        free(in);
    }
}

int main(int argc, char **argv)
{
    int number, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    measure_steps();
    for (number = 0; number < (int)(sizeof cases / sizeof *cases); ++number)
        wrong |= run_case(&cases[number]);
    MPI_Finalize();
    return wrong;
}
