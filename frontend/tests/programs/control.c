#include <stdio.h>
static int calls;
static int yes(int x) { calls++; printf("y%d ", x); return 1; }
static int no(int x) { calls++; printf("n%d ", x); return 0; }
static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
    *to = 0;
}
static int kr(a, b, s) int a; char *s; { return a + b + (int)s[0]; }
static int classify(int x) {
    switch (x) {
    case -1: return 1;
    case 0 ... 9: if (x == 5) break; return 2;
    default: x += 100; /* falls through */
    case 50: x++; break;
    case 'z': { int y = x; return y; }
    }
    return x;
}
int main(void) {
    int i, j, n = 0;
    if (yes(1) && no(2) || yes(3) && !no(4)) printf("in\n"); else printf("out\n");
    i = no(5) || (yes(6), no(7)) ? yes(8) : (no(9), 42);
    printf("%d %d\n", i, calls);
    i = yes(1) ?: 77; j = no(2) ?: 78; printf("%d %d\n", i, j);
    for (i = 0, j = 10; i < j; i += 2, j--) { if (i == 4) continue; n += i * j; if (n > 100) break; }
    printf("%d %d %d\n", i, j, n);
    for (i = -1; i < 12; i += 3) printf("%d ", classify(i));
    printf("%d %d\n", classify('z'), classify(50));
    char to[12]; duff(to, "hello duff", 10); puts(to);
    i = 0;
again:
    if (i++ < 3) goto again;
    while (1) { if (i > 5) goto done; i++; do { if (i == 5) continue; } while (0); }
done:
    printf("%d %d\n", i, kr(1, 2, "x"));
    if (0) { case_never: puts("never"); }
    i = ({ int t = 3; t += yes(9); t * 2; }) + 1;
    printf("%d\n", i);
    for (;;) { if (++i > 12) break; }
    return i ? ++i, i * 2 : 0;
}
