#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*const ops[])(int, int) = { add, &sub };
static int apply(int (*f)(int, int), int a, int b) { return f(a, b) + (*f)(b, a) + (**f)(1, 1); }
static int (*choose(int i))(int, int) { return ops[i]; }
static int total(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n-- > 0) s = s * 3 + va_arg(ap, int); va_end(ap); return s; }
static int trace(int n, int m, double a[n][m]) { int t = 0; for (int i = 0; i < n; i++) t += (int)a[i][i % m]; return t; }
static int counter(void) { static int n = 10; static char tag[3]; tag[1]++; return n++ + tag[1]; }
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
int main(int argc, char **argv) {
    int v[6] = { 5, 4, 3, 2, 1 }, *p = v, *q = v + 4, i = 1;
    printf("%d ", *p++); printf("%d ", *++p); printf("%d %d\n", (int)(q - p), *(q - 1));
    v[i++] = 40; v[i] = 10; i++; printf("%d %d %d\n", v[1] != 4, i, 2[v]);
    *p-- += 100; printf("%d %d %d\n", *p, p[1], p < q && q > p);
    swap(&p, &q); printf("%d\n", *p);
    printf("%d %d %d\n", apply(add, 3, 4), apply(ops[1], 3, 4), choose(1)(9, 2));
    printf("%d %d %d %d\n", total(3, 1, 2, 3), total(0), counter(), 1); printf("%d\n", counter() + counter());
    int n = 3 + argc, m = 2;
    double g[n][m]; n = 100;
    for (i = 0; i < 4; i++) for (int j = 0; j < m; j++) g[i][j] = i * 10 + j;
    printf("%d %d %d\n", trace(4, m, g), (int)(sizeof g / sizeof g[0][0]), (int)sizeof g[0]);
    int *h = malloc(4 * sizeof *h), **hh = &h; for (i = 0; i < 4; i++) (*hh)[i] = i * i;
    printf("%d %d\n", h[3], *(*hh + 2)); free(h);
    const char *s = "text" " joined"; printf("%c %s %d\n", *(s + 2), s + 5, (int)sizeof("four"));
    char *end = (char *)s; while (*end) end++; printf("%d\n", (int)(end - s));
    long bytes = (long)((char *)&v[3] - (char *)v); printf("%ld\n", bytes);
    printf("%d %d\n", fib(12), _Generic(1.0f, int: 1, float: 2, default: 3));
    typeof(v[0]) w = 8; __auto_type z = w + 1l; printf("%d %ld %d\n", w, z, (int)sizeof(typeof(s[0])));
    int cond = 0, *np = cond ? &w : NULL; printf("%d %d\n", np == 0, !np);
    if (argc > 5) exit(3);
    return argv[0] == 0 ? 1 : apply(sub, 9, 4) + 1 + fib(5);
}
