// Packs and unpacks all rows in every way, checks each way against the oracle, and then times them in turn.
//
// Prints a line for each row, way and direction: megabytes (10^6 bytes) per second, the median of the rounds. Time is that of this thread on
// the processor, since the machine has other things to do.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "anyrank_layout.h"
#include "rows.h"

enum { HAND, RUNS, MEMCPY, MPI, LOOPS, CODE, PIECES, WAYS, ROUNDS = 25, PIECE = 65536 };
static const char *const ways[] = {"hand", "runs", "memcpy", "mpi", "loops", "code", "pieces"};
static const double ROUND_SECONDS = 1e-3;

typedef struct {
  int64_t offset, length;
} Run;

typedef struct {
  const Row *row;
  char *memory, *packed, *other;
  Run *runs;
  size_t run_count;
  MPI_Datatype mpi;
  anyrank_type ours;
  anyrank_segment segment;
} Case;

static void fail(const char *name, const char *what) {
  fprintf(stderr, "%s: %s\n", name, what);
  exit(1);
}

static void check(const Case *c, anyrank_status status) {
  if (status != ANYRANK_OK) fail(c->row->name, anyrank_last_error());
}

static void pack(int way, Case *c) {
  const Row *row = c->row;
  size_t done;
  int position = 0;
  switch (way) {
  case HAND: row->hand_pack(c->memory, c->packed); break;
  case RUNS: {
    char *to = c->packed;
    for (size_t i = 0; i < c->run_count; i++) {
      memcpy(to, c->memory + c->runs[i].offset, (size_t)c->runs[i].length);
      to += c->runs[i].length;
    }
    break;
  }
  case MEMCPY: memcpy(c->packed, c->other, row->size); break;
  case MPI: MPI_Pack(c->memory, (int)row->count, c->mpi, c->packed, (int)row->size, &position, MPI_COMM_SELF); break;
  case LOOPS:
    check(c, anyrank_pack(c->ours, row->count, c->memory, row->memory, 0, c->packed, row->size, &done));
    break;
  case CODE: row->code_pack(c->memory, row->count, c->packed); break;
  case PIECES:
    check(c, anyrank_segment_seek(c->segment, 0));
    for (size_t at = 0; at < row->size; at += done) {
      size_t room = row->size - at < PIECE ? row->size - at : PIECE;
      check(c, anyrank_segment_pack(c->segment, c->memory, row->memory, 0, c->packed + at, room, &done));
    }
    break;
  }
}

static void unpack(int way, Case *c) {
  const Row *row = c->row;
  size_t done;
  int position = 0;
  switch (way) {
  case HAND: row->hand_unpack(c->memory, c->packed); break;
  case RUNS: {
    const char *from = c->packed;
    for (size_t i = 0; i < c->run_count; i++) {
      memcpy(c->memory + c->runs[i].offset, from, (size_t)c->runs[i].length);
      from += c->runs[i].length;
    }
    break;
  }
  case MEMCPY: memcpy(c->other, c->packed, row->size); break;
  case MPI: MPI_Unpack(c->packed, (int)row->size, &position, c->memory, (int)row->count, c->mpi, MPI_COMM_SELF); break;
  case LOOPS:
    check(c, anyrank_unpack(c->ours, row->count, c->memory, row->memory, 0, c->packed, row->size, &done));
    break;
  case CODE: row->code_unpack(c->memory, row->count, c->packed); break;
  case PIECES:
    check(c, anyrank_segment_seek(c->segment, 0));
    for (size_t at = 0; at < row->size; at += done) {
      size_t room = row->size - at < PIECE ? row->size - at : PIECE;
      check(c, anyrank_segment_unpack(c->segment, c->memory, row->memory, 0, c->packed + at, room, &done));
    }
    break;
  }
}

static unsigned char at(size_t i) { return (unsigned char)((i * UINT64_C(0x9e3779b97f4a7c15)) >> 56); }

// Every way against the runs of the oracle, byte by byte, in memory that is all known.
static void verify(Case *c) {
  const Row *row = c->row;
  char *wanted = malloc(row->size), *there = malloc(row->memory);
  for (size_t i = 0; i < row->memory; i++) c->memory[i] = (char)at(i);
  size_t n = 0;
  for (size_t i = 0; i < c->run_count; i++)
    for (int64_t k = 0; k < c->runs[i].length; k++) wanted[n++] = c->memory[c->runs[i].offset + k];
  if (n != row->size) fail(row->name, "the oracle has another size");
  for (int way = 0; way < WAYS; way++) {
    if (way == MEMCPY) continue;
    memset(c->packed, 0x55, row->size);
    pack(way, c);
    if (memcmp(c->packed, wanted, row->size) != 0) fail(row->name, ways[way]);
  }
  for (size_t i = 0; i < row->size; i++) wanted[i] = (char)at(i + 98765);
  memset(there, 0x33, row->memory);
  n = 0;
  for (size_t i = 0; i < c->run_count; i++)
    for (int64_t k = 0; k < c->runs[i].length; k++) there[c->runs[i].offset + k] = wanted[n++];
  memcpy(c->packed, wanted, row->size);
  for (int way = 0; way < WAYS; way++) {
    if (way == MEMCPY) continue;
    memset(c->memory, 0x33, row->memory);
    unpack(way, c);
    if (memcmp(c->memory, there, row->memory) != 0) fail(row->name, ways[way]);
  }
  free(wanted);
  free(there);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double timed(int way, Case *c, void (*run)(int, Case *), size_t times) {
  double start = seconds();
  for (size_t i = 0; i < times; i++) run(way, c);
  return (seconds() - start) / (double)times;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(Case *c, const char *direction, void (*run)(int, Case *)) {
  double rounds[WAYS][ROUNDS];
  size_t times[WAYS];
  for (int way = 0; way < WAYS; way++) {
    timed(way, c, run, 1);
    times[way] = 1 + (size_t)(ROUND_SECONDS / timed(way, c, run, 1));
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int turn = 0; turn < WAYS; turn++) {
      // What ran before leaves its data in the caches: each way comes after each other one (there are 7, a prime number).
      int way = (round + turn * (1 + round % (WAYS - 1))) % WAYS;
      rounds[way][round] = timed(way, c, run, times[way]);
    }
  for (int way = 0; way < WAYS; way++) {
    qsort(rounds[way], ROUNDS, sizeof(double), ascending);
    printf("%s\t%s\t%s\t%.1f\n", c->row->name, direction, ways[way], (double)c->row->size / rounds[way][ROUNDS / 2] / 1e6);
  }
  fflush(stdout);
}

static void *pages(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, 4096, bytes + 4096) != 0) fail("memory", "there is not enough");
  memset(memory, 1, bytes);
  return memory;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  prepare_rows();
  for (size_t i = 0; i < row_count; i++) {
    const Row *row = &rows[i];
    if (argc > 1 && strstr(row->name, argv[1]) == NULL) continue;
    Case c = {.row = row, .memory = pages(row->memory), .packed = pages(row->size), .other = pages(row->size)};
    FILE *file = fopen(row->runs, "rb");
    if (file == NULL) fail(row->name, "the oracle is missing");
    fseek(file, 0, SEEK_END);
    c.run_count = (size_t)ftell(file) / sizeof(Run);
    rewind(file);
    c.runs = malloc(c.run_count * sizeof(Run));
    if (fread(c.runs, sizeof(Run), c.run_count, file) != c.run_count) fail(row->name, "the oracle is cut");
    fclose(file);
    if (row->mpi_type(&c.mpi) != 0) fail(row->name, "MPI does not build the type");
    if (row->our_type(&c.ours) != 0) fail(row->name, anyrank_last_error());
    check(&c, anyrank_segment_create(c.ours, row->count, &c.segment));
    verify(&c);
    measure(&c, "pack", pack);
    measure(&c, "unpack", unpack);
    MPI_Type_free(&c.mpi);
    check(&c, anyrank_segment_free(c.segment));
    check(&c, anyrank_type_free(c.ours));
    free(c.memory);
    free(c.packed);
    free(c.other);
    free(c.runs);
  }
  MPI_Finalize();
  return 0;
}
