/* Every allocation of the library fails once, in every call: on the sender's and on the receiver's side. After that all is
 * freed, the other side knows, and the same call works. The library is compiled with AL_TEST_ALLOCATOR. */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "same.h"
#include "shapes.h"

void *al_test_malloc(size_t size);
void al_test_free(void *block);

static long live, calls, failing = -1;

void *al_test_malloc(size_t size) {
    if (++calls == failing) return NULL;
    void *block = malloc(size);
    if (block) live++;
    return block;
}

void al_test_free(void *block) {
    if (block) live--;
    free(block);
}

static int rank;

typedef enum { COPY, FREE, SEND, ISEND, BCAST, CALLS } Call;

/* One call, of which this rank's side is told to `got`. The structure of rank 1 is freed. */
static int perform(Call call, const Random *random, void **got) {
    const AL_Type *type = random->type;
    AL_Request request;
    int result;
    switch (call) {
    case COPY: return AL_Copy(random->root, got, type);
    case FREE: return AL_Free(*got, type);
    case SEND:
        return rank ? AL_Recv(got, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
                    : AL_Send(random->root, type, 1, 1, MPI_COMM_WORLD);
    case ISEND:
        /* A receive that cannot even begin leaves the message where it is. */
        result = rank ? AL_Irecv(got, type, 0, 1, MPI_COMM_WORLD, &request)
                      : AL_Isend(random->root, type, 1, 1, MPI_COMM_WORLD, &request);
        if (result != AL_SUCCESS) {
            if (rank == 0) (void)AL_Send(NULL, type, 1, 1, MPI_COMM_WORLD);
            else if (AL_Recv(got, type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == AL_SUCCESS) (void)AL_Free(*got, type);
            *got = NULL;
            return result;
        }
        return AL_Wait(&request, MPI_STATUS_IGNORE);
    default:
        if (rank == 0) *got = random->root;
        return AL_Bcast(got, type, 0, MPI_COMM_WORLD);
    }
}

/* Runs the call with the n-th allocation failing on one side, for each n, until all of them succeed. */
static void fail_each(Call call, const Random *random, int failing_rank) {
    const AL_Type *type = random->type;
    bool is_local = call == COPY || call == FREE;
    if (is_local && rank != failing_rank) return;
    long n = 1;
    for (int over = 0; !over; n++) {
        void *got = NULL;
        long before = live;
        if (call == FREE) SUCCEEDS(AL_Copy(random->root, &got, type));
        long copied = live;
        calls = 0;
        failing = rank == failing_rank ? n : -1;
        int result = perform(call, random, &got);
        over = rank == failing_rank && calls < n;
        failing = -1;
        if (rank == failing_rank) {
            if (over) SUCCEEDS(result);
            else FAILS(AL_ERR_MEMORY, result);
        }
        if (call == FREE) {
            CHECK(live == (over ? before : copied));
            if (!over) SUCCEEDS(AL_Free(got, type));
        } else if (result == AL_SUCCESS && got && got != random->root) {
            CHECK(same(random->root, got, type));
            SUCCEEDS(AL_Free(got, type));
        } else if (result != AL_SUCCESS) {
            CHECK(rank == failing_rank || result == AL_ERR_REMOTE);
            CHECK(got == NULL || got == random->root);
        }
        CHECK(live == before);
        if (!is_local) MPI_Bcast(&over, 1, MPI_INT, failing_rank, MPI_COMM_WORLD);
    }
    /* That it is more than a handful shows that something was tried. */
    if (rank == failing_rank && random->count > 10) CHECK(n > 8);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int seeds = argc > 1 ? atoi(argv[1]) : 3;
    /* AL_Init itself: nobody begins if one process cannot. */
    failing = rank ? 1 : -1;
    FAILS(AL_ERR_MEMORY, AL_Init(NULL));
    failing = -1;
    CHECK(live == 0);
    SUCCEEDS(AL_Init(&(AL_Options){.packet_bytes = 4096}));
    for (int seed = 0; seed < seeds; seed++) {
        /* Of one packet, and of several. */
        for (uint32_t size = 0; size < 8; size += 7) {
            Random random = make_random((uint64_t)seed, size);
            for (int side = 0; side < 2; side++)
                for (Call call = COPY; call < CALLS; call++) fail_each(call, &random, side);
            free_random(&random);
        }
    }
    SUCCEEDS(AL_Finalize());
    CHECK(live == 0);
    MPI_Finalize();
    return report();
}
