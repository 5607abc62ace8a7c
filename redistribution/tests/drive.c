/* Runs emitted redistributions and compares each byte of the arrays with what dealing out elements one by one gives.
   The cases are in cases.h, which the test writes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define MOST_DIMENSIONS 3

struct side {
    int by_columns; /* how ranks of the grid are numbered */
    long long processes[MOST_DIMENSIONS], block[MOST_DIMENSIONS], source[MOST_DIMENSIONS], start[MOST_DIMENSIONS];
};

struct test_case {
    const char *name;
    int dimensions, same, stored_by_columns, slack;
    long long length[MOST_DIMENSIONS];
    struct side from, to;
    int (*call)(const void *, const MPI_Aint *, void *, const MPI_Aint *, MPI_Datatype, MPI_Comm, int);
};

#include "cases.h"

/* An element type: how large, and which doubles of it are sent. */
struct kind {
    MPI_Datatype type;
    size_t size;
    int values;
};

/* Where a process has its elements of one side: its coordinates, extents, and for each dimension and index the place or -1. */
struct part {
    int member;
    MPI_Aint extents[MOST_DIMENSIONS];
    long long *place[MOST_DIMENSIONS];
    long long total;
};

static void find_part(const struct test_case *test, const struct side *side, long long rank, struct part *part)
{
    long long all = 1, coordinate[MOST_DIMENSIONS];
    int i;
    for (i = 0; i < test->dimensions; ++i)
        all *= side->processes[i];
    part->member = rank >= 0 && rank < all;
    for (i = 0; i < test->dimensions; ++i) {
        int dimension = side->by_columns ? i : test->dimensions - 1 - i;
        coordinate[dimension] = rank >= 0 ? rank % side->processes[dimension] : 0;
        rank /= side->processes[dimension];
    }
    part->total = 1;
    for (i = 0; i < test->dimensions; ++i) {
        long long end = side->start[i] + test->length[i], index, have = 0;
        part->place[i] = malloc((size_t)(end + 1) * sizeof(long long));
        for (index = 0; index < end; ++index) {
            long long owner = (index / side->block[i] + side->source[i]) % side->processes[i];
            part->place[i][index] = owner == coordinate[i] ? have++ : -1;
        }
        part->extents[i] = (MPI_Aint)(have + test->slack);
        part->total *= part->extents[i];
    }
}

/* Writes what the elements of the moved part have, counted from its beginning, into the array. */
static void fill(const struct test_case *test, const struct side *side, const struct part *part,
                 const struct kind *kind, char *array)
{
    long long total = 1, element;
    int i, value;
    for (i = 0; i < test->dimensions; ++i)
        total *= test->length[i];
    for (element = 0; element < total; ++element) {
        long long rest = element, index[MOST_DIMENSIONS], place = 0;
        int mine = 1;
        for (i = test->dimensions - 1; i >= 0; --i) {
            index[i] = part->place[i][side->start[i] + rest % test->length[i]];
            rest /= test->length[i];
            mine = mine && index[i] >= 0;
        }
        if (!mine)
            continue;
        for (i = 0; i < test->dimensions; ++i) {
            int dimension = test->stored_by_columns ? test->dimensions - 1 - i : i;
            place = place * part->extents[dimension] + index[dimension];
        }
        for (value = 0; value < kind->values; ++value) {
            double content = (double)element + 0.25 * value;
            memcpy(array + (size_t)place * kind->size + sizeof(double) * (size_t)value, &content, sizeof content);
        }
    }
}

/* In place, both arrays are one that has room for either. */
static int run(const struct test_case *test, const struct kind *kind, MPI_Comm comm, int how, int in_place)
{
    struct part from, to;
    long long senders = 1;
    size_t most;
    char *source, *target, *expected;
    int i, rank, error, wrong;
    MPI_Comm_rank(comm, &rank);
    for (i = 0; i < test->dimensions; ++i)
        senders *= test->from.processes[i];
    find_part(test, &test->from, rank, &from);
    find_part(test, &test->to, test->same ? rank : rank - senders, &to);
    most = (size_t)(from.total > to.total ? from.total : to.total) * kind->size + 1;
    source = malloc(most);
    target = in_place ? source : malloc(most);
    expected = malloc(most);
    memset(target, 0xee, most);
    if (!in_place)
        memset(source, 0x11, most);
    if (from.member)
        fill(test, &test->from, &from, kind, source);
    memcpy(expected, target, most);
    if (to.member)
        fill(test, &test->to, &to, kind, expected);
    error = test->call(source, test->slack > 0 ? from.extents : NULL, target, test->slack > 0 ? to.extents : NULL,
                       kind->type, comm, how);
    wrong = error != MPI_SUCCESS || memcmp(target, expected, most) != 0;
    if (wrong)
        printf("%s, rank %d, way %d%s, elements of %d bytes: error %d\n", test->name, rank, how, in_place ? " in place" : "",
               (int)kind->size, error);
    for (i = 0; i < test->dimensions; ++i) {
        free(from.place[i]);
        free(to.place[i]);
    }
    free(source);
    if (!in_place)
        free(target);
    free(expected);
    return wrong;
}

int main(int argc, char **argv)
{
    struct kind kinds[3];
    MPI_Comm reversed;
    int rank, wrong = 0, all, how, number, count = (int)(sizeof cases / sizeof *cases);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    kinds[0].type = MPI_DOUBLE;
    kinds[0].size = sizeof(double);
    kinds[0].values = 1;
    /* Dense, of several values. */
    MPI_Type_contiguous(3, MPI_DOUBLE, &kinds[1].type);
    kinds[1].size = 3 * sizeof(double);
    kinds[1].values = 3;
    /* With a gap that must be left alone. */
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &kinds[2].type);
    kinds[2].size = 2 * sizeof(double);
    kinds[2].values = 1;
    MPI_Type_commit(&kinds[1].type);
    MPI_Type_commit(&kinds[2].type);
    for (number = 0; number < count; ++number)
        for (how = 0; how < 6; ++how)
            wrong += run(&cases[number], &kinds[(number + how) % 3], number % 2 ? reversed : MPI_COMM_WORLD, how % 3,
                         how >= 3);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d cases, %d wrong\n", count, all);
    MPI_Type_free(&kinds[1].type);
    MPI_Type_free(&kinds[2].type);
    MPI_Comm_free(&reversed);
    MPI_Finalize();
    return all != 0;
}
