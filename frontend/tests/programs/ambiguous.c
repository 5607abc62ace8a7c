/* What a parser cannot tell without knowing which names are types. */
#include <stdio.h>
typedef int T;
typedef struct { int v; } S;
typedef int (*F)(int);
static int twice(int x) { return 2 * x; }
static int a = 7, b = 3, c = 2;
int main(void) {
    int *p = &b;
    printf("%d %d %d %d\n", (a)-b, (a) - b * c, (a)*b, (a)&b);
    printf("%d %d %d\n", (T)-b, (T)+b, (T)~b);
    printf("%d %d\n", (T)(b), (twice)(b));
    printf("%d %d\n", (T)*p, (a)*(*p));
    printf("%d %d\n", (int)sizeof(T), (int)sizeof(a) - b);
    printf("%d %d\n", (int)(sizeof(T) * c), (int)sizeof (S[3]));
    T (x) = 4;
    T *y = &x;
    T (*z) = y;
    F f = twice;
    F (*pf) = &f;
    printf("%d %d %d %d\n", x, *y, *z, (*pf)(5));
    {
        int T = 5; /* hides the type */
        printf("%d %d\n", (T) * c, T - b);
        T *= 2;
        printf("%d\n", (T) - 1);
    }
    S s = { 3 };
    printf("%d %d\n", (s).v, ((S){ 9 }).v);
    printf("%d\n", -x++ + 1);
    printf("%d %d\n", x, !x--);
    printf("%d\n", (a), (b), (c));
    printf("%d %d %d\n", a -1, a - -1, a+-1);
    for (T i = 0, *q = &i; *q < 2; ++*q) printf("%d", i);
    printf("\n%d\n", (T)(a)-b);
    return (a)-(b)-(c);
}
