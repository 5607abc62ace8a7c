// Every function with arguments that are wrong: a status, and nothing written. What is true is asserted; the test runs it.
#undef NDEBUG
#include "anyrank_layout.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static anyrank_type of(int number) {
  anyrank_type type;
  assert(anyrank_type_basic(number, &type) == ANYRANK_OK);
  return type;
}

// A call that fails, and leaves `result` as it was.
#define FAILS(expected, call)                                  \
  do {                                                         \
    result.number = 4711;                                      \
    anyrank_status status = (call);                            \
    if (status != (expected)) {                                \
      printf("%s: %d, %s\n", #call, status, anyrank_last_error()); \
      assert(status == (expected));                            \
    }                                                          \
    assert(result.number == 4711);                             \
    assert(strlen(anyrank_last_error()) > 0);                  \
  } while (0)

static void types(void) {
  anyrank_type result, word = of(ANYRANK_INT), none = {0}, unknown = {1u << 30};
  int64_t ones[] = {1, 1, 1}, minus[] = {1, -1, 1}, places[] = {0, 8, 16}, far[] = {0, INT64_MAX, INT64_MIN};
  anyrank_type children[] = {word, none, word};
  int distributions[] = {0, 7};
  char bytes[32];
  int64_t *odd = (int64_t *)(void *)(bytes + 1);

  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_basic(-1, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_basic(31, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_basic(ANYRANK_INT, NULL));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_basic(ANYRANK_INT, (anyrank_type *)(void *)odd));
  FAILS(ANYRANK_ERR_HANDLE, anyrank_type_dup(none, &result));
  FAILS(ANYRANK_ERR_HANDLE, anyrank_type_dup(unknown, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_contiguous(-1, word, &result));
  FAILS(ANYRANK_ERR_TOO_LARGE, anyrank_type_contiguous(INT64_MAX, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_vector(2, -1, 3, word, &result));
  FAILS(ANYRANK_ERR_TOO_LARGE, anyrank_type_vector(2, 1, INT64_MAX, word, &result));
  FAILS(ANYRANK_ERR_TOO_LARGE, anyrank_type_hvector(3, 1, INT64_MIN, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed(3, NULL, places, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed(3, ones, odd, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed(3, minus, places, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed(-3, ones, places, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed(INT64_MAX, ones, places, word, &result));
  FAILS(ANYRANK_ERR_TOO_LARGE, anyrank_type_hindexed(3, ones, far, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_indexed_block(1, 1, NULL, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_hindexed_block(3, -2, places, word, &result));
  FAILS(ANYRANK_ERR_HANDLE, anyrank_type_struct(3, ones, places, children, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_struct(3, ones, places, NULL, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_subarray(0, NULL, NULL, NULL, ANYRANK_ORDER_C, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_subarray(3, ones, ones, places, ANYRANK_ORDER_C, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT, anyrank_type_subarray(1, ones, ones, places, 5, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT,
        anyrank_type_darray(1, 0, 2, ones, distributions, ones, ones, ANYRANK_ORDER_C, word, &result));
  FAILS(ANYRANK_ERR_ARGUMENT,
        anyrank_type_darray(1, 1, 1, ones, distributions, ones, ones, ANYRANK_ORDER_C, word, &result));
  FAILS(ANYRANK_ERR_TOO_LARGE, anyrank_type_resized(INT64_MAX, INT64_MAX, word, &result));

  // As deep as is allowed, and one deeper; twice as many paths with each level.
  anyrank_type deep = word;
  int64_t wide = 40;
  for (int i = 1;; i++) {
    anyrank_type next, pair[] = {deep, i < 40 ? deep : word};
    int64_t at[] = {0, wide};
    anyrank_status status = anyrank_type_struct(2, ones, at, pair, &next);
    if (status != ANYRANK_OK) {
      assert(status == ANYRANK_ERR_TOO_DEEP && i == 200);
      break;
    }
    deep = next;
    wide = i < 40 ? 2 * wide + 1 : 8;
  }
  assert(anyrank_type_commit(deep) == ANYRANK_OK);

  // No elements are no error, and need no lists.
  assert(anyrank_type_indexed(0, NULL, NULL, word, &result) == ANYRANK_OK);
  uint64_t size = 1;
  int64_t low, extent = 7;
  assert(anyrank_type_size(result, &size) == ANYRANK_OK && size == 0);
  assert(anyrank_type_size(none, &size) == ANYRANK_ERR_HANDLE && size == 0);
  assert(anyrank_type_size(result, NULL) == ANYRANK_ERR_ARGUMENT);
  assert(anyrank_type_extent(word, NULL, &extent) == ANYRANK_ERR_ARGUMENT && extent == 7);
  assert(anyrank_type_extent(word, &low, &extent) == ANYRANK_OK && low == 0 && extent == 4);
  assert(anyrank_type_true_extent(none, &low, &extent) == ANYRANK_ERR_HANDLE);
  assert(anyrank_type_commit(none) == ANYRANK_ERR_HANDLE);
  assert(anyrank_type_free(none) == ANYRANK_ERR_HANDLE);
  assert(anyrank_type_free(word) == ANYRANK_OK);
  assert(anyrank_type_free(word) == ANYRANK_ERR_HANDLE);
  FAILS(ANYRANK_ERR_HANDLE, anyrank_type_dup(word, &result));
}

static void packing(void) {
  anyrank_type number = of(ANYRANK_INT), pair;
  assert(anyrank_type_vector(2, 1, -3, number, &pair) == ANYRANK_OK); // from byte -12 to before byte 4
  int memory[8] = {10, 11, 12, 13, 14, 15, 16, 17}, before[8];
  int packed[4] = {-1, -1, -1, -1}, untouched[4] = {-1, -1, -1, -1};
  memcpy(before, memory, sizeof memory);
  size_t done = 99;
#define REFUSED(expected, call)                                                                     \
  assert((call) == (expected) && done == 99 && memcmp(packed, untouched, sizeof packed) == 0 &&     \
         memcmp(memory, before, sizeof memory) == 0)
  REFUSED(ANYRANK_ERR_NOT_COMMITTED, anyrank_pack(pair, 1, memory, sizeof memory, 12, packed, 8, &done));
  anyrank_segment segment = {0};
  assert(anyrank_segment_create(pair, 1, &segment) == ANYRANK_ERR_NOT_COMMITTED && segment.number == 0);
  assert(anyrank_type_commit(pair) == ANYRANK_OK && anyrank_type_commit(pair) == ANYRANK_OK);
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_pack(pair, 1, memory, sizeof memory, 11, packed, 8, &done));
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_pack(pair, 1, memory, 15, 12, packed, 8, &done));
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_pack(pair, 1, memory, sizeof memory, INT64_MIN, packed, 8, &done));
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_pack(pair, 1, memory, sizeof memory, INT64_MAX, packed, 8, &done));
  REFUSED(ANYRANK_ERR_TRUNCATE, anyrank_pack(pair, 1, memory, sizeof memory, 12, packed, 7, &done));
  REFUSED(ANYRANK_ERR_TOO_LARGE, anyrank_pack(pair, UINT64_MAX, memory, sizeof memory, 12, packed, 8, &done));
  REFUSED(ANYRANK_ERR_TRUNCATE, anyrank_unpack(pair, 1, memory, sizeof memory, 12, packed, 7, &done));
  REFUSED(ANYRANK_ERR_OVERLAP, anyrank_unpack(pair, 1, memory, sizeof memory, 12, memory + 6, 8, &done));
  REFUSED(ANYRANK_ERR_OVERLAP, anyrank_pack(pair, 1, memory, sizeof memory, 12, memory + 6, 8, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_pack(pair, 1, NULL, sizeof memory, 12, packed, 8, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_pack(pair, 1, memory, sizeof memory, 12, NULL, 8, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_pack(pair, 1, memory, sizeof memory, 12, packed, 8, NULL));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_unpack(pair, 1, NULL, sizeof memory, 12, packed, 8, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_unpack(pair, 1, memory, sizeof memory, 12, NULL, 8, &done));

  assert(anyrank_segment_create(pair, 1, NULL) == ANYRANK_ERR_ARGUMENT);
  assert(anyrank_segment_create(pair, 1, &segment) == ANYRANK_OK);
  assert(anyrank_type_free(pair) == ANYRANK_OK); // the segment stays
  anyrank_segment none = {0};
  REFUSED(ANYRANK_ERR_HANDLE, anyrank_segment_pack(none, memory, sizeof memory, 12, packed, 5, &done));
  REFUSED(ANYRANK_ERR_HANDLE, anyrank_segment_unpack(none, memory, sizeof memory, 12, packed, 5, &done));
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_segment_pack(segment, memory, 15, 12, packed, 5, &done));
  REFUSED(ANYRANK_ERR_OVERLAP, anyrank_segment_pack(segment, memory, sizeof memory, 12, memory, 5, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_segment_unpack(segment, memory, sizeof memory, 12, NULL, 5, &done));
  REFUSED(ANYRANK_ERR_POSITION, anyrank_segment_seek(segment, 9));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_segment_list(segment, 8, NULL, 2, &done));
  anyrank_extent runs[2] = {{7, 7}, {7, 7}};
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_segment_list(segment, 8, runs, 2, NULL));
  struct iovec entries[2];
  REFUSED(ANYRANK_ERR_BOUNDS, anyrank_segment_iovec(segment, memory, 15, 12, 8, entries, 2, &done));
  REFUSED(ANYRANK_ERR_ARGUMENT, anyrank_segment_iovec(segment, memory, 32, 12, 8, NULL, 2, &done));
  uint64_t size, position = 5;
  assert(anyrank_segment_progress(segment, NULL, &position) == ANYRANK_ERR_ARGUMENT && position == 5);
  assert(anyrank_segment_progress(segment, &size, &position) == ANYRANK_OK && size == 8 && position == 0);

  // What is right is done.
  assert(anyrank_segment_list(segment, 6, runs, 0, &done) == ANYRANK_OK && done == 0);
  assert(anyrank_segment_list(segment, 6, runs, 2, &done) == ANYRANK_OK && done == 2);
  assert(runs[0].offset == 0 && runs[0].length == 4 && runs[1].offset == -12 && runs[1].length == 2);
  assert(anyrank_segment_seek(segment, 0) == ANYRANK_OK);
  assert(anyrank_segment_pack(segment, memory, sizeof memory, 12, packed, 16, &done) == ANYRANK_OK && done == 8);
  assert(packed[0] == 13 && packed[1] == 10 && packed[2] == -1);
  assert(anyrank_segment_pack(segment, NULL, 0, 0, packed, 16, &done) == ANYRANK_ERR_ARGUMENT);
  assert(anyrank_segment_seek(segment, 4) == ANYRANK_OK);
  assert(anyrank_segment_free(segment) == ANYRANK_OK);
  assert(anyrank_segment_seek(segment, 4) == ANYRANK_ERR_HANDLE);
  assert(anyrank_segment_free(segment) == ANYRANK_ERR_HANDLE);
}

static void *free_second(void *segments) {
  const anyrank_segment *all = segments;
  assert(anyrank_segment_seek(all[1], 2) == ANYRANK_OK);
  assert(anyrank_segment_free(all[1]) == ANYRANK_OK);
  return NULL;
}

// What a thread used last is not used again after another thread has freed it, and two segments are two.
static void threads(void) {
  anyrank_type word = of(ANYRANK_INT);
  assert(anyrank_type_commit(word) == ANYRANK_OK);
  anyrank_segment all[2];
  uint64_t size, position;
  for (int i = 0; i < 2; i++) {
    assert(anyrank_segment_create(word, 1, &all[i]) == ANYRANK_OK);
    assert(anyrank_segment_seek(all[i], i + 3) == ANYRANK_OK);
  }
  for (int i = 0; i < 2; i++) {
    assert(anyrank_segment_progress(all[i], &size, &position) == ANYRANK_OK);
    assert(size == 4 && position == (uint64_t)i + 3);
  }
  pthread_t other;
  assert(pthread_create(&other, NULL, free_second, all) == 0 && pthread_join(other, NULL) == 0);
  assert(anyrank_segment_seek(all[1], 1) == ANYRANK_ERR_HANDLE);
  assert(anyrank_segment_seek(all[0], 1) == ANYRANK_OK);
  assert(anyrank_segment_free(all[0]) == ANYRANK_OK);
}

static void *free_type(void *type) {
  assert(anyrank_type_free(*(anyrank_type *)type) == ANYRANK_OK);
  return NULL;
}

// The type that was packed last is not packed any more once it is freed, here or by another thread, and other copies of it are others.
static void again(void) {
  anyrank_type two[2];
  int from[4] = {1, 2, 3, 4}, to[4];
  size_t done;
  for (int i = 0; i < 2; i++) {
    assert(anyrank_type_contiguous(i + 1, of(ANYRANK_INT), &two[i]) == ANYRANK_OK);
    assert(anyrank_type_commit(two[i]) == ANYRANK_OK);
  }
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 2; i++)
      for (uint64_t count = 1; count <= 2; count++) {
        memset(to, 0, sizeof to);
        assert(anyrank_pack(two[i], count, from, sizeof from, 0, to, sizeof to, &done) == ANYRANK_OK);
        assert(done == count * (i + 1) * sizeof(int) && memcmp(from, to, done) == 0);
        assert(anyrank_unpack(two[i], count, to, sizeof to, 0, from, sizeof from, &done) == ANYRANK_OK);
      }
  assert(anyrank_pack(two[1], 1, from, sizeof from, 0, to, sizeof to, &done) == ANYRANK_OK);
  pthread_t other;
  assert(pthread_create(&other, NULL, free_type, &two[1]) == 0 && pthread_join(other, NULL) == 0);
  assert(anyrank_pack(two[1], 1, from, sizeof from, 0, to, sizeof to, &done) == ANYRANK_ERR_HANDLE);
  assert(anyrank_pack(two[0], 1, from, sizeof from, 0, to, sizeof to, &done) == ANYRANK_OK);
  assert(anyrank_type_free(two[0]) == ANYRANK_OK);
  assert(anyrank_pack(two[0], 1, from, sizeof from, 0, to, sizeof to, &done) == ANYRANK_ERR_HANDLE);
}

int main(void) {
  types();
  packing();
  threads();
  again();
  assert(strcmp(anyrank_status_text(ANYRANK_OK), "success") == 0);
  assert(strcmp(anyrank_status_text(-5), anyrank_status_text(99)) == 0);
  return 0;
}
