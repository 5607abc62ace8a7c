// What a programmer writes by hand for the rows of rows.rs: loops, and nothing else, compiled with -O3.
#include <stddef.h>
#include <stdint.h>

#include "rows.h"

// The indices of scattered rows, as in rows.rs.
static int atoms[16384], points[65536], triples[32768];

static void scatter(int *list, int64_t count, int64_t of) {
  uint64_t state = 12345;
  int64_t step = of / count;
  for (int64_t i = 0; i < count; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    list[i] = (int)(i * step + (int64_t)(state >> 33) % step);
  }
}

void prepare_rows(void) {
  scatter(atoms, 16384, 65536);
  scatter(points, 65536, 1 << 20);
  scatter(triples, 32768, 1 << 18);
}

// Both directions of a row whose elements are of one type: BODY says which element of memory is the next one.
#define ROW(name, type, BODY)                                              \
  void name##_pack(const void *memory, void *buffer) {                     \
    const type *restrict m = memory;                                       \
    type *restrict p = buffer;                                             \
    size_t n = 0;                                                          \
    BODY(p[n++] = m, )                                                     \
  }                                                                        \
  void name##_unpack(void *memory, const void *buffer) {                   \
    type *restrict m = memory;                                             \
    const type *restrict p = buffer;                                       \
    size_t n = 0;                                                          \
    BODY(m, = p[n++])                                                      \
  }

#define FOR(i, count) for (size_t i = 0; i < (count); i++)

#define CONTIG(a, b) FOR(i, 1 << 20) a[i] b;
ROW(contig_float, float, CONTIG)
ROW(contig_double, double, CONTIG)

#define EVERY_OTHER(a, b) FOR(i, 1 << 20) a[2 * i] b;
ROW(vector_float, float, EVERY_OTHER)
ROW(vector_double, double, EVERY_OTHER)

#define PATTERN(a, b) FOR(i, 1 << 17) { a[8 * i] b; a[8 * i + 1] b; a[8 * i + 3] b; a[8 * i + 6] b; }
ROW(indexed_float, float, PATTERN)
ROW(indexed_double, double, PATTERN)

#define XY(a, b) FOR(y, 256) FOR(x, 256) a[256 * y + x] b;
ROW(xy_float, float, XY)
ROW(xy_double, double, XY)
#define XZ(a, b) FOR(z, 256) FOR(x, 256) a[65536 * z + x] b;
ROW(xz_float, float, XZ)
ROW(xz_double, double, XZ)
#define YZ(a, b) FOR(z, 256) FOR(y, 256) a[65536 * z + 256 * y] b;
ROW(yz_float, float, YZ)
ROW(yz_double, double, YZ)

#define FLASH(a, b) \
  FOR(v, 24) FOR(k, 80) FOR(z, 8) FOR(y, 8) FOR(x, 8) a[v + 24 * (x + 16 * (y + 16 * (z + 16 * k)))] b;
ROW(flash, double, FLASH)

#define WRF_X(a, b) FOR(v, 4) FOR(j, 64) FOR(k, 40) FOR(i, 3) a[i + 64 * (k + 40 * (j + 64 * v))] b;
ROW(wrf_x, float, WRF_X)
#define WRF_Y(a, b) FOR(v, 4) FOR(j, 3) FOR(k, 40) FOR(i, 60) a[i + 64 * (k + 40 * (j + 64 * v))] b;
ROW(wrf_y, float, WRF_Y)
#define MILC(a, b) FOR(t, 16) FOR(z, 16) FOR(x, 8) FOR(c, 6) a[c + 6 * (x + 256 * z + 4096 * t)] b;
ROW(milc, float, MILC)
#define LU_X(a, b) FOR(j, 102 * 102) FOR(c, 5) a[c + 5 * j] b;
ROW(lu_x, double, LU_X)
#define LU_Y(a, b) FOR(j, 102 * 102) FOR(c, 5) a[c + 5 * 104 * j] b;
ROW(lu_y, double, LU_Y)
#define MG_X(a, b) FOR(z, 128) FOR(y, 128) a[130 * (y + 130 * z)] b;
ROW(mg_x, double, MG_X)
#define MG_Y(a, b) FOR(z, 128) FOR(x, 128) a[x + 130 * 130 * z] b;
ROW(mg_y, double, MG_Y)
#define MG_Z(a, b) FOR(y, 128) FOR(x, 128) a[x + 130 * y] b;
ROW(mg_z, double, MG_Z)

typedef struct {
  double real, imaginary;
} Complex;
#define FFT(a, b) FOR(c, 1024) FOR(r, 512) a[1024 * r + c] b;
ROW(fft, Complex, FFT)

#define SPECFEM_OC(a, b) FOR(i, 65536) a[points[i]] b;
ROW(specfem_oc, float, SPECFEM_OC)
#define SPECFEM_CM(a, b) FOR(i, 32768) FOR(c, 3) a[3 * triples[i] + c] b;
ROW(specfem_cm, float, SPECFEM_CM)

typedef struct {
  int numbers[2];
  char text[64];
  double reals[2];
  float real;
} __attribute__((packed)) Record;

void struct_array_pack(const void *memory, void *buffer) {
  const Record *restrict m = memory;
  Record *restrict p = buffer;
  FOR(i, 65536) p[i] = m[i];
}

void struct_array_unpack(void *memory, const void *buffer) { struct_array_pack(buffer, memory); }

enum { ATOMS = 65536, LEAVING = 16384 };

typedef struct {
  double x[ATOMS][3], v[ATOMS][3], q[ATOMS];
  int tag[ATOMS], type[ATOMS], mask[ATOMS];
} Atoms;

typedef struct {
  double x[LEAVING][3], v[LEAVING][3], q[LEAVING];
  int tag[LEAVING], type[LEAVING], mask[LEAVING];
} Leaving;

void lammps_pack(const void *memory, void *buffer) {
  const Atoms *restrict m = memory;
  Leaving *restrict p = buffer;
  FOR(i, LEAVING) FOR(c, 3) p->x[i][c] = m->x[atoms[i]][c];
  FOR(i, LEAVING) FOR(c, 3) p->v[i][c] = m->v[atoms[i]][c];
  FOR(i, LEAVING) p->q[i] = m->q[atoms[i]];
  FOR(i, LEAVING) p->tag[i] = m->tag[atoms[i]];
  FOR(i, LEAVING) p->type[i] = m->type[atoms[i]];
  FOR(i, LEAVING) p->mask[i] = m->mask[atoms[i]];
}

void lammps_unpack(void *memory, const void *buffer) {
  Atoms *restrict m = memory;
  const Leaving *restrict p = buffer;
  FOR(i, LEAVING) FOR(c, 3) m->x[atoms[i]][c] = p->x[i][c];
  FOR(i, LEAVING) FOR(c, 3) m->v[atoms[i]][c] = p->v[i][c];
  FOR(i, LEAVING) m->q[atoms[i]] = p->q[i];
  FOR(i, LEAVING) m->tag[atoms[i]] = p->tag[i];
  FOR(i, LEAVING) m->type[atoms[i]] = p->type[i];
  FOR(i, LEAVING) m->mask[atoms[i]] = p->mask[i];
}
