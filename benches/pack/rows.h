// Between the driver, the loops written by hand, and what main.rs generates.
#ifndef ROWS_H
#define ROWS_H

#include <stddef.h>

void prepare_rows(void);

typedef struct {
  const char *name;
  size_t count;
  // Bytes of memory, and of packed data of all copies. Displacement 0 is at the start of the memory.
  size_t memory, size;
  // A file with the runs of the oracle, in the order in which they are packed: offset and length, 8 bytes each.
  const char *runs;
  void (*hand_pack)(const void *memory, void *packed);
  void (*hand_unpack)(void *memory, const void *packed);
  size_t (*code_pack)(const void *memory, size_t count, void *packed);
  size_t (*code_unpack)(void *memory, size_t count, const void *packed);
  // Build and commit the type: of MPI, as an MPI_Datatype *; of ours, as an anyrank_type *. 0 is success.
  int (*mpi_type)(void *type);
  int (*our_type)(void *type);
} Row;

extern const Row rows[];
extern const size_t row_count;

#endif
