// The sides of a grid, packed and sent without MPI:
//
//     cc halo.c -Ilayout/capi/include -Ltarget/release -lanyrank_layout
//
// A grid of records, each with a pressure, a velocity and a mark that nobody needs to send. Its eastern side goes to the western side of
// another grid: packed at once, in pieces of 7 bytes, and by writev and readv through a pipe without being packed at all.
#include "anyrank_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 6, COLUMNS = 5 };

typedef struct {
  double pressure;
  float velocity[3];
  int mark;
} Cell;

typedef Cell Grid[ROWS][COLUMNS];

static void try(anyrank_status status, const char *what) {
  if (status != ANYRANK_OK) {
    fprintf(stderr, "%s: %s\n", what, anyrank_last_error());
    exit(1);
  }
}

#define TRY(call) try(call, #call)

static void fill(Grid grid, int first) {
  memset(grid, 0, sizeof(Grid));
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) {
      int number = first + 10 * i + j;
      grid[i][j] = (Cell){number, {number + 0.25f, number + 0.5f, number + 0.75f}, -number};
    }
}

static void show(const char *how, Grid grid) {
  printf("%-10s", how);
  for (int i = 0; i < ROWS; i++)
    printf(" %g/%g/%d", grid[i][0].pressure, (double)grid[i][0].velocity[2], grid[i][0].mark);
  printf("\n");
}

// A column of a grid: the parts of a record that count, once in each row.
static anyrank_type column(void) {
  anyrank_type number, real, cell, record, column;
  TRY(anyrank_type_basic(ANYRANK_DOUBLE, &number));
  TRY(anyrank_type_basic(ANYRANK_FLOAT, &real));
  int64_t lengths[] = {1, 3};
  int64_t places[] = {offsetof(Cell, pressure), offsetof(Cell, velocity)};
  anyrank_type parts[] = {number, real};
  TRY(anyrank_type_struct(2, lengths, places, parts, &cell));
  TRY(anyrank_type_resized(0, sizeof(Cell), cell, &record));
  TRY(anyrank_type_vector(ROWS, 1, COLUMNS, record, &column));
  TRY(anyrank_type_commit(column));
  // A type does not need those that it was made of.
  anyrank_type unused[] = {number, real, cell, record};
  for (int i = 0; i < 4; i++) TRY(anyrank_type_free(unused[i]));
  return column;
}

int main(void) {
  static Grid from, to;
  anyrank_type side = column();
  uint64_t size;
  int64_t lower_bound, extent;
  TRY(anyrank_type_size(side, &size));
  TRY(anyrank_type_extent(side, &lower_bound, &extent));
  printf("%llu bytes of data, extent %lld\n", (unsigned long long)size, (long long)extent);

  // At once. The origin says where the column begins.
  int64_t east = (COLUMNS - 1) * sizeof(Cell), west = 0;
  char packed[ROWS * 20];
  size_t done;
  fill(from, 100);
  fill(to, 500);
  TRY(anyrank_pack(side, 1, from, sizeof from, east, packed, sizeof packed, &done));
  TRY(anyrank_unpack(side, 1, to, sizeof to, west, packed, done, &done));
  show("at once", to);

  // In pieces, which end anywhere.
  anyrank_segment sender, receiver;
  TRY(anyrank_segment_create(side, 1, &sender));
  TRY(anyrank_segment_create(side, 1, &receiver));
  fill(to, 500);
  do {
    TRY(anyrank_segment_pack(sender, from, sizeof from, east, packed, 7, &done));
    TRY(anyrank_segment_unpack(receiver, to, sizeof to, west, packed, done, &done));
  } while (done > 0);
  show("in pieces", to);

  // Not packed: four runs at a time through a pipe.
  int ends[2];
  if (pipe(ends) != 0) return 1;
  fill(to, 500);
  TRY(anyrank_segment_seek(sender, 0));
  TRY(anyrank_segment_seek(receiver, 0));
  for (;;) {
    struct iovec runs[4];
    size_t used;
    TRY(anyrank_segment_iovec(sender, from, sizeof from, east, UINT64_MAX, runs, 4, &used));
    if (used == 0) break;
    ssize_t bytes = writev(ends[1], runs, (int)used);
    TRY(anyrank_segment_iovec(receiver, to, sizeof to, west, (uint64_t)bytes, runs, 4, &used));
    if (readv(ends[0], runs, (int)used) != bytes) return 1;
  }
  show("by runs", to);

  TRY(anyrank_segment_free(sender));
  TRY(anyrank_segment_free(receiver));
  TRY(anyrank_type_free(side));
  return 0;
}
