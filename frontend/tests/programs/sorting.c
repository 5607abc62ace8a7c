#include <stdio.h>
#include <string.h>
#define N 32
#define SWAP(a, b) do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
typedef struct item { int key; char name[4]; } item_t;
static item_t items[N];
static int compare(const void *a, const void *b) { const item_t *x = a, *y = (const item_t *)b; return (x->key > y->key) - (x->key < y->key); }
static void quick(item_t *v, int lo, int hi) {
    if (lo >= hi) return;
    item_t pivot = v[(lo + hi) / 2]; int i = lo - 1, j = hi + 1;
    for (;;) { do ++i; while (compare(&v[i], &pivot) < 0); do --j; while (compare(v + j, &pivot) > 0); if (i >= j) break; SWAP(v[i], v[j]); }
    quick(v, lo, j); quick(v, j + 1, hi);
}
static int sieve(int n) { char mark[n + 1]; memset(mark, 1, sizeof mark); int count = 0; for (int i = 2; i <= n; i++) { if (!mark[i]) continue; count++; for (int j = i * i; j <= n; j += i) mark[j] = 0; } return count; }
static void transpose(int n, int (*m)[4]) { for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) SWAP(m[i][j], m[j][i]); }
int main(void) {
    unsigned seed = 12345;
    for (int i = 0; i < N; i++) { seed = seed * 1103515245u + 12345u; items[i].key = (int)(seed >> 16) % 100; items[i].name[0] = 'a' + i % 26; items[i].name[1] = '\0'; }
    quick(items, 0, N - 1);
    for (item_t *p = items; p < items + N; ++p) printf("%d%s ", p->key, p->name);
    int m[4][4]; for (int i = 0; i < 16; i++) m[i / 4][i % 4] = i; transpose(4, m);
    printf("\n%d %d %d\n", m[1][3], m[3][1], sieve(100));
    return MAX(MAX(items[0].key, 3), sieve(20));
}
