// Data layouts: MPI's datatypes, packed, unpacked and listed without MPI.
//
// This file is made of layout/capi/src by its test `header`; do not edit it.
//
// Sizes. The size of a type is how many bytes of data one copy has. Counts, strides and displacements have 64 bits;
// what exceeds 2^61 bytes is an error (ANYRANK_ERR_TOO_LARGE) when the type is built.
//
// Extents. The extent of a type is how many bytes the next copy is further on: as MPI-4.1 section 5.1.7 defines it, from
// the lower bound to the upper one, with the padding that the alignment of the elements asks for. anyrank_type_resized
// sets both. Data may lie before displacement 0, and beyond the extent: the true extent says where it is.
//
// Memory is described by a pointer, its length in bytes, and the origin: how many bytes displacement 0 of the first copy
// is from the pointer (it may be negative, or beyond the end). All data must lie within, and is accessed nowhere else.
//
// Lifetimes. Types and segments are numbers. They are there until they are freed; a segment does not need its type any
// longer, nor a type those that it was made of. No function keeps a pointer that it is given. A number that was freed, or
// never given out, is ANYRANK_ERR_HANDLE.
//
// Errors. Every function returns a status, and writes nothing through any pointer unless that is ANYRANK_OK.
//
// Threads. All functions may be called by several threads at once.

#ifndef ANYRANK_LAYOUT_H
#define ANYRANK_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

// The block size that `MPI_DISTRIBUTE_DFLT_DARG` stands for.
#define ANYRANK_DISTRIBUTE_DEFAULT -1

// What a function returns. Unless it is ANYRANK_OK, nothing was written through any pointer.
typedef enum {
  // All is done.
  ANYRANK_OK = 0,
  // A pointer is null or misaligned, a count is negative, or a number is not what MPI allows there.
  ANYRANK_ERR_ARGUMENT = 1,
  // There is no such type or segment: it was freed, or never built.
  ANYRANK_ERR_HANDLE = 2,
  // The type is not committed.
  ANYRANK_ERR_NOT_COMMITTED = 3,
  // There are more than 2^61 bytes or elements, or they are further apart.
  ANYRANK_ERR_TOO_LARGE = 4,
  // Types are nested too deep.
  ANYRANK_ERR_TOO_DEEP = 5,
  // The data of the type is not all within the memory.
  ANYRANK_ERR_BOUNDS = 6,
  // The memory and the packed bytes overlap.
  ANYRANK_ERR_OVERLAP = 7,
  // There is no room for all packed bytes, or fewer of them than the type has.
  ANYRANK_ERR_TRUNCATE = 8,
  // There is no such position in the segment.
  ANYRANK_ERR_POSITION = 9,
  // A bug of this library.
  ANYRANK_ERR_INTERNAL = 10,
} anyrank_status;

// Predefined datatypes, with the sizes that they have where `int` has 4 bytes, and `long` and pointers 8.
typedef enum {
  // `MPI_BYTE`.
  ANYRANK_BYTE = 0,
  // `MPI_CHAR`.
  ANYRANK_CHAR = 1,
  // `MPI_SIGNED_CHAR`.
  ANYRANK_SIGNED_CHAR = 2,
  // `MPI_UNSIGNED_CHAR`.
  ANYRANK_UNSIGNED_CHAR = 3,
  // `MPI_SHORT`.
  ANYRANK_SHORT = 4,
  // `MPI_UNSIGNED_SHORT`.
  ANYRANK_UNSIGNED_SHORT = 5,
  // `MPI_INT`.
  ANYRANK_INT = 6,
  // `MPI_UNSIGNED`.
  ANYRANK_UNSIGNED = 7,
  // `MPI_LONG`.
  ANYRANK_LONG = 8,
  // `MPI_UNSIGNED_LONG`.
  ANYRANK_UNSIGNED_LONG = 9,
  // `MPI_LONG_LONG`.
  ANYRANK_LONG_LONG = 10,
  // `MPI_UNSIGNED_LONG_LONG`.
  ANYRANK_UNSIGNED_LONG_LONG = 11,
  // `MPI_FLOAT`.
  ANYRANK_FLOAT = 12,
  // `MPI_DOUBLE`.
  ANYRANK_DOUBLE = 13,
  // `MPI_LONG_DOUBLE`.
  ANYRANK_LONG_DOUBLE = 14,
  // `MPI_WCHAR`.
  ANYRANK_WCHAR = 15,
  // `MPI_C_BOOL`.
  ANYRANK_C_BOOL = 16,
  // `MPI_INT8_T`.
  ANYRANK_INT8_T = 17,
  // `MPI_INT16_T`.
  ANYRANK_INT16_T = 18,
  // `MPI_INT32_T`.
  ANYRANK_INT32_T = 19,
  // `MPI_INT64_T`.
  ANYRANK_INT64_T = 20,
  // `MPI_UINT8_T`.
  ANYRANK_UINT8_T = 21,
  // `MPI_UINT16_T`.
  ANYRANK_UINT16_T = 22,
  // `MPI_UINT32_T`.
  ANYRANK_UINT32_T = 23,
  // `MPI_UINT64_T`.
  ANYRANK_UINT64_T = 24,
  // `MPI_C_FLOAT_COMPLEX`.
  ANYRANK_C_FLOAT_COMPLEX = 25,
  // `MPI_C_DOUBLE_COMPLEX`.
  ANYRANK_C_DOUBLE_COMPLEX = 26,
  // `MPI_C_LONG_DOUBLE_COMPLEX`.
  ANYRANK_C_LONG_DOUBLE_COMPLEX = 27,
  // `MPI_AINT`.
  ANYRANK_AINT = 28,
  // `MPI_COUNT`.
  ANYRANK_COUNT = 29,
  // `MPI_OFFSET`.
  ANYRANK_OFFSET = 30,
} anyrank_basic;

// Which dimension of an array is contiguous.
typedef enum {
  // The last one, as in C.
  ANYRANK_ORDER_C = 0,
  // The first one, as in Fortran.
  ANYRANK_ORDER_FORTRAN = 1,
} anyrank_order;

// How a dimension of an array is distributed over processes.
typedef enum {
  // One block for each process.
  ANYRANK_DISTRIBUTE_BLOCK = 0,
  // Blocks dealt in turn.
  ANYRANK_DISTRIBUTE_CYCLIC = 1,
  // All of it on each process.
  ANYRANK_DISTRIBUTE_NONE = 2,
} anyrank_distribution;

// A datatype, which is what MPI calls by that name: where elements are, in which order, and where the next copy begins.
//
// 0 stands for no type. A type is there until `anyrank_type_free`; types and segments made of it do not need it any longer then.
// All functions may be called by several threads at once.
typedef struct {
  // What the library knows it by.
  uint64_t number;
} anyrank_type;

// The processing of so many copies of a type, which stops and goes on at any byte.
//
// 0 stands for no segment. A segment is there until `anyrank_segment_free`, even if its type is freed; it keeps no pointers to memory,
// which may change, or be another one, from one call to the next. Two calls for one segment at the same time wait for each other.
typedef struct {
  // What the library knows it by.
  uint64_t number;
} anyrank_segment;

// A run of bytes: where, from the origin of the memory, and how long.
typedef struct {
  // Bytes from displacement 0.
  int64_t offset;
  // How many bytes.
  uint64_t length;
} anyrank_extent;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Packs `count` copies of a committed type from `memory`, which has `memory_bytes` bytes, to `packed`, which has room for `packed_bytes`.
//
// Displacement 0 of the first copy is at `memory + origin`; the data must all lie within the memory, and the packed bytes apart from it.
// `written` is how many bytes were packed: `count` times the size of the type.
anyrank_status anyrank_pack(anyrank_type of,
                            uint64_t count,
                            const void *memory,
                            size_t memory_bytes,
                            int64_t origin,
                            void *packed,
                            size_t packed_bytes,
                            size_t *written);

// Unpacks `count` copies of a committed type to `memory` from `packed`, which has `packed_bytes` bytes.
//
// As `anyrank_pack`, the other way round; `read` is how many bytes were unpacked. Where data occurs twice in memory, the last one stays.
anyrank_status anyrank_unpack(anyrank_type of,
                              uint64_t count,
                              void *memory,
                              size_t memory_bytes,
                              int64_t origin,
                              const void *packed,
                              size_t packed_bytes,
                              size_t *read);

// A segment of `count` copies of a committed type, at position 0.
anyrank_status anyrank_segment_create(anyrank_type of, uint64_t count, anyrank_segment *result);

// How many packed bytes there are in all, and how many of them are done.
anyrank_status anyrank_segment_progress(anyrank_segment segment, uint64_t *size, uint64_t *position);

// Goes to any position, forwards or backwards.
anyrank_status anyrank_segment_seek(anyrank_segment segment, uint64_t position);

// Packs the next bytes until there is no more room, or all are packed; `written` is how many it were. The rest is as of `anyrank_pack`.
anyrank_status anyrank_segment_pack(anyrank_segment segment,
                                    const void *memory,
                                    size_t memory_bytes,
                                    int64_t origin,
                                    void *packed,
                                    size_t room,
                                    size_t *written);

// Unpacks the next bytes until all that were given are used, or all are unpacked; `read` is how many it were. The rest is as of
// `anyrank_unpack`.
anyrank_status anyrank_segment_unpack(anyrank_segment segment,
                                      void *memory,
                                      size_t memory_bytes,
                                      int64_t origin,
                                      const void *packed,
                                      size_t packed_bytes,
                                      size_t *read);

// Lists the next runs of bytes, by offset, until `limit` bytes or `capacity` entries are listed; `used` is how many entries it were.
//
// Runs that touch each other are one entry.
anyrank_status anyrank_segment_list(anyrank_segment segment,
                                    uint64_t limit,
                                    anyrank_extent *entries,
                                    size_t capacity,
                                    size_t *used);

// Lists the next runs of bytes as `readv` and `writev` take them, until `limit` bytes or `capacity` entries are listed; `used` is how
// many entries it were.
//
// The memory is as of `anyrank_unpack`; it is not looked at, and must stay where it is for as long as the entries are used. If fewer bytes
// were transferred than are listed, `anyrank_segment_seek` goes back to where that was.
anyrank_status anyrank_segment_iovec(anyrank_segment segment,
                                     void *memory,
                                     size_t memory_bytes,
                                     int64_t origin,
                                     uint64_t limit,
                                     struct iovec *entries,
                                     size_t capacity,
                                     size_t *used);

// The number stands for no segment from now on.
anyrank_status anyrank_segment_free(anyrank_segment segment);

// What a status means, for any number; never null, and valid for ever.
const char *anyrank_status_text(int status);

// A sentence about the last call of this thread that failed; never null, and valid until another one fails.
const char *anyrank_last_error(void);

// The predefined type of that number, which is one of `anyrank_basic`.
anyrank_status anyrank_type_basic(int number, anyrank_type *result);

// A copy of a type.
anyrank_status anyrank_type_dup(anyrank_type child, anyrank_type *result);

// `count` copies behind each other.
anyrank_status anyrank_type_contiguous(int64_t count, anyrank_type child, anyrank_type *result);

// `count` blocks of `blocklength` copies each, `stride` extents of the child apart.
anyrank_status anyrank_type_vector(int64_t count,
                                   int64_t blocklength,
                                   int64_t stride,
                                   anyrank_type child,
                                   anyrank_type *result);

// `count` blocks of `blocklength` copies each, `stride` bytes apart.
anyrank_status anyrank_type_hvector(int64_t count,
                                    int64_t blocklength,
                                    int64_t stride,
                                    anyrank_type child,
                                    anyrank_type *result);

// `count` blocks, of `blocklengths[i]` copies at `displacements[i]` extents of the child.
anyrank_status anyrank_type_indexed(int64_t count,
                                    const int64_t *blocklengths,
                                    const int64_t *displacements,
                                    anyrank_type child,
                                    anyrank_type *result);

// `count` blocks, of `blocklengths[i]` copies at `displacements[i]` bytes.
anyrank_status anyrank_type_hindexed(int64_t count,
                                     const int64_t *blocklengths,
                                     const int64_t *displacements,
                                     anyrank_type child,
                                     anyrank_type *result);

// `count` blocks of `blocklength` copies each, at `displacements[i]` extents of the child.
anyrank_status anyrank_type_indexed_block(int64_t count,
                                          int64_t blocklength,
                                          const int64_t *displacements,
                                          anyrank_type child,
                                          anyrank_type *result);

// `count` blocks of `blocklength` copies each, at `displacements[i]` bytes.
anyrank_status anyrank_type_hindexed_block(int64_t count,
                                           int64_t blocklength,
                                           const int64_t *displacements,
                                           anyrank_type child,
                                           anyrank_type *result);

// The part of an array of `dimensions` dimensions that has `subsizes[i]` of `sizes[i]` elements from `starts[i]` on; `order` is one of `anyrank_order`.
anyrank_status anyrank_type_subarray(int64_t dimensions,
                                     const int64_t *sizes,
                                     const int64_t *subsizes,
                                     const int64_t *starts,
                                     int order,
                                     anyrank_type child,
                                     anyrank_type *result);

// The same data, with other bounds: copies begin at `lower_bound`, and are `extent` bytes apart.
anyrank_status anyrank_type_resized(int64_t lower_bound, int64_t extent, anyrank_type child, anyrank_type *result);

// `count` blocks, of `blocklengths[i]` copies of `children[i]` at `displacements[i]` bytes.
anyrank_status anyrank_type_struct(int64_t count,
                                   const int64_t *blocklengths,
                                   const int64_t *displacements,
                                   const anyrank_type *children,
                                   anyrank_type *result);

// What process `rank` of `size` has of an array that is distributed over a grid of processes.
//
// For each of the dimensions there are the size of the array, a distribution (of `anyrank_distribution`), a block size (or
// `ANYRANK_DISTRIBUTE_DEFAULT`), and the size of the grid; `order` is one of `anyrank_order`.
anyrank_status anyrank_type_darray(int64_t size,
                                   int64_t rank,
                                   int64_t dimensions,
                                   const int64_t *sizes,
                                   const int *distributions,
                                   const int64_t *blocks,
                                   const int64_t *processes,
                                   int order,
                                   anyrank_type child,
                                   anyrank_type *result);

// Makes a type ready for packing: its loops are compiled. To commit it again does nothing.
anyrank_status anyrank_type_commit(anyrank_type of);

// How many bytes of data one copy has: its packed size.
anyrank_status anyrank_type_size(anyrank_type of, uint64_t *size);

// Where a copy begins, and how many bytes the next copy is further on: the bounds that MPI gives the type, or that were set.
anyrank_status anyrank_type_extent(anyrank_type of,
                                   int64_t *lower_bound,
                                   int64_t *extent);

// Where the first byte of data is, and how many bytes it is from there to the end of the last one.
anyrank_status anyrank_type_true_extent(anyrank_type of, int64_t *true_lower_bound, int64_t *true_extent);

// The number stands for no type from now on; what was made of the type stays as it is.
anyrank_status anyrank_type_free(anyrank_type of);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ANYRANK_LAYOUT_H */
