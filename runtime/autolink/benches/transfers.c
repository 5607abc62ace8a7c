/* AutoLink against what people write by hand: flatten, MPI_Send, rebuild; and against memcpy of as many bytes.
 *
 *     transfers NODES ROUNDS
 *
 * By hand means twice: with a hash table of the nodes' addresses, which is what one writes for a struct as it is, and with a number
 * in each node, which says whether and where it was met, for a struct that has room for it. Both know the number of nodes
 * beforehand, which AutoLink does not.
 *
 * Two ranks. A time is from the start of the send until the receiver has the structure and says so. In each round every
 * method has one turn; what is printed are medians, and medians of the ratios of a round. Compiled with
 * AL_TEST_ALLOCATOR it prints instead how much memory the library has had at most, at the receiver with the structure. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "autolink.h"

/* Numbers of nodes by their addresses: open addressing, at most half full. */
typedef struct {
    const void *address;
    int number;
} Numbered;

static Numbered *numbered;
static size_t numbered_room;

static void forget_numbers(size_t most) {
    for (numbered_room = 64; numbered_room < 2 * most;) numbered_room *= 2;
    numbered = calloc(numbered_room, sizeof *numbered);
    if (!numbered) abort();
}

/* The number of a node; `next` if it has none so far. */
static inline int number_of(const void *address, int next) {
    size_t at = (size_t)(((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (numbered_room - 1);
    while (numbered[at].address && numbered[at].address != address) at = (at + 1) & (numbered_room - 1);
    if (!numbered[at].address) numbered[at] = (Numbered){address, next};
    return numbered[at].number;
}

/* A list, a tree or a graph, depending on how many links are used. Whoever writes by hand has a number in each node. */
#define NODE(NAME, LINKS) \
    typedef struct NAME { \
        double value[2]; \
        int number; \
        struct NAME *link[LINKS]; \
    } NAME; \
    typedef struct { \
        double value[2]; \
        int link[LINKS]; \
    } Flat##NAME; \
    static const AL_Schema NAME##_table; \
    static const AL_Run NAME##_runs[] = {AL_DATA(NAME, value), AL_DATA(NAME, number)}; \
    static const AL_Link NAME##_links[] = {AL_ONE(NAME, link, 0)}; \
    static const AL_Type NAME##_type = {&NAME##_table, #NAME, sizeof(NAME), 2, NAME##_runs, 1, NAME##_links}; \
    static const AL_Schema NAME##_table = {AL_SCHEMA_VERSION, 1, &NAME##_type}; \
    /* The queue is the flattened array's order; -1 is a node that was not met. */ \
    static void hand_send_##NAME(NAME *root, size_t most) { \
        NAME **queue = malloc(most * sizeof *queue); \
        Flat##NAME *flat = malloc(most * sizeof *flat); \
        if (!queue || !flat) abort(); \
        int count = 1; \
        queue[0] = root; \
        root->number = 0; \
        for (int i = 0; i < count; i++) { \
            NAME *node = queue[i]; \
            memcpy(flat[i].value, node->value, sizeof node->value); \
            for (int l = 0; l < LINKS; l++) { \
                NAME *next = node->link[l]; \
                if (next && next->number < 0) { \
                    next->number = count; \
                    queue[count++] = next; \
                } \
                flat[i].link[l] = next ? next->number : -1; \
            } \
        } \
        MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); \
        MPI_Send(flat, (int)(count * sizeof *flat), MPI_BYTE, 1, 0, MPI_COMM_WORLD); \
        for (int i = 0; i < count; i++) queue[i]->number = -1; \
        free(queue); \
        free(flat); \
    } \
    static void hash_send_##NAME(NAME *root, size_t most) { \
        NAME **queue = malloc(most * sizeof *queue); \
        Flat##NAME *flat = malloc(most * sizeof *flat); \
        if (!queue || !flat) abort(); \
        forget_numbers(most); \
        int count = 1; \
        queue[number_of(root, 0)] = root; \
        for (int i = 0; i < count; i++) { \
            memcpy(flat[i].value, queue[i]->value, sizeof flat[i].value); \
            for (int l = 0; l < LINKS; l++) { \
                NAME *next = queue[i]->link[l]; \
                flat[i].link[l] = next ? number_of(next, count) : -1; \
                if (flat[i].link[l] == count) queue[count++] = next; \
            } \
        } \
        MPI_Send(&count, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); \
        MPI_Send(flat, (int)(count * sizeof *flat), MPI_BYTE, 1, 0, MPI_COMM_WORLD); \
        free(queue); \
        free(flat); \
        free(numbered); \
    } \
    static NAME *hand_receive_##NAME(void) { \
        int count; \
        MPI_Recv(&count, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
        Flat##NAME *flat = malloc((size_t)count * sizeof *flat); \
        NAME **nodes = malloc((size_t)count * sizeof *nodes); \
        if (!flat || !nodes) abort(); \
        MPI_Recv(flat, (int)(count * sizeof *flat), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
        for (int i = 0; i < count; i++) { \
            nodes[i] = malloc(sizeof(NAME)); \
            if (!nodes[i]) abort(); \
        } \
        for (int i = 0; i < count; i++) { \
            memcpy(nodes[i]->value, flat[i].value, sizeof flat[i].value); \
            nodes[i]->number = -1; \
            for (int l = 0; l < LINKS; l++) nodes[i]->link[l] = flat[i].link[l] < 0 ? NULL : nodes[flat[i].link[l]]; \
        } \
        NAME *root = nodes[0]; \
        free(flat); \
        free(nodes); \
        return root; \
    }

NODE(List, 1)
NODE(Tree, 2)
NODE(Graph, 3)

static size_t live, peak;

#ifdef AL_TEST_ALLOCATOR
enum { COUNTS_MEMORY = 1 };

#include <malloc.h>
void *al_test_malloc(size_t size);
void al_test_free(void *block);

void *al_test_malloc(size_t size) {
    void *block = malloc(size);
    live += malloc_usable_size(block);
    if (live > peak) peak = live;
    return block;
}

void al_test_free(void *block) {
    live -= malloc_usable_size(block);
    free(block);
}
#else
enum { COUNTS_MEMORY = 0 };
#endif

enum { AUTOLINK, HAND, HASH, COPY, METHODS, MOST_ROUNDS = 1000 };

static int rank;
static size_t count;
static int rounds;
static double times[METHODS][MOST_ROUNDS];

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(const double *values) {
    double sorted[MOST_ROUNDS];
    memcpy(sorted, values, (size_t)rounds * sizeof *sorted);
    qsort(sorted, (size_t)rounds, sizeof *sorted, by_value);
    return sorted[rounds / 2];
}

/* How many times as long as AutoLink a method takes: the median over the rounds. */
static double ratio(int method) {
    double ratios[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) ratios[i] = times[method][i] / times[AUTOLINK][i];
    return median(ratios);
}

static void say(const char *name, size_t size) {
    size_t most[2];
    MPI_Gather(&peak, sizeof peak, MPI_BYTE, most, sizeof peak, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank) return;
    double bytes = (double)(count * size);
    if (COUNTS_MEMORY) {
        printf("%-6s %8.1f MB   sender %4.2f   receiver %4.2f of the structure's size\n", name, bytes / 1e6,
               (double)most[0] / bytes, (double)most[1] / bytes);
    } else {
        double own = median(times[AUTOLINK]);
        printf("%-6s %6.2f Mnodes/s %6.0f MB/s", name, (double)count / own / 1e6, bytes / own / 1e6);
        printf("   by hand, with numbers: %6.2f Mnodes/s, ratio %.2f", (double)count / median(times[HAND]) / 1e6, ratio(HAND));
        printf("   with a hash table: %6.2f Mnodes/s, ratio %.2f", (double)count / median(times[HASH]) / 1e6, ratio(HASH));
        printf("   memcpy takes %.3f of the time\n", median(times[COPY]) / own);
    }
    fflush(stdout);
}

static void check(int result) {
    if (result == AL_SUCCESS) return;
    fprintf(stderr, "%s\n", AL_Error_message());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* One turn of one method, and the receiver's word that it has the structure. Freeing is not measured. */
#define TURN(NAME, METHOD, SEND, RECEIVE, FREE) \
    do { \
        char word = 0; \
        NAME *got = NULL; \
        MPI_Barrier(MPI_COMM_WORLD); \
        double start = MPI_Wtime(); \
        if (rank == 0) { \
            SEND; \
            MPI_Recv(&word, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); \
            if (round >= 0) times[METHOD][round] = MPI_Wtime() - start; \
        } else { \
            RECEIVE; \
            MPI_Send(&word, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD); \
            size_t reached = peak; \
            FREE; \
            peak = reached; \
        } \
    } while (0)

/* `link[l]` of node i is the node that NEXT says, if there is one. */
#define MEASURE(NAME, LINKS, NEXT) \
    do { \
        NAME **all = malloc(count * sizeof *all); \
        if (!all) abort(); \
        for (size_t i = 0; i < count; i++) { \
            all[i] = calloc(1, sizeof(NAME)); \
            if (!all[i]) abort(); \
            all[i]->number = -1; \
        } \
        for (size_t i = 0; i < count; i++) \
            for (size_t l = 0; l < LINKS; l++) { \
                size_t next = (NEXT); \
                all[i]->link[l] = next < count ? all[next] : NULL; \
            } \
        char *from = calloc(count, sizeof(NAME)), *to = calloc(count, sizeof(NAME)); \
        if (!from || !to) abort(); \
        peak = live = 0; \
        for (int round = -1; round < rounds; round++) { \
            TURN(NAME, AUTOLINK, check(AL_Send(all[0], &NAME##_type, 1, 0, MPI_COMM_WORLD)), \
                 check(AL_Recv(&got, &NAME##_type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)), check(AL_Free(got, &NAME##_type))); \
            if (COUNTS_MEMORY) break; \
            TURN(NAME, HAND, hand_send_##NAME(all[0], count), got = hand_receive_##NAME(), \
                 check(AL_Free(got, &NAME##_type))); \
            TURN(NAME, HASH, hash_send_##NAME(all[0], count), got = hand_receive_##NAME(), \
                 check(AL_Free(got, &NAME##_type))); \
            if (rank) continue; \
            double start = MPI_Wtime(); \
            memcpy(to, from, count * sizeof(NAME)); \
            if (round >= 0) times[COPY][round] = MPI_Wtime() - start; \
        } \
        say(#NAME, sizeof(NAME)); \
        for (size_t i = 0; i < count; i++) free(all[i]); \
        free(all); \
        free(from); \
        free(to); \
    } while (0)

int main(int argc, char **argv) {
    count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    rounds = argc > 2 ? atoi(argv[2]) : 11;
    if (rounds < 1 || rounds > MOST_ROUNDS || count < 1 || count > 10000000) return 2;
    check(AL_Init(NULL));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MEASURE(List, 1, i + 1);
    MEASURE(Tree, 2, 2 * i + 1 + l);
    /* A tree, and a link to somewhere. */
    MEASURE(Graph, 3, l < 2 ? 2 * i + 1 + l : (i * 2654435761u + 12345) % count);
    check(AL_Finalize());
    return 0;
}
