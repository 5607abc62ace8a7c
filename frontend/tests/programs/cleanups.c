/* Functions that are called where variables go out of scope, whichever way control leaves it. */
#include <stdio.h>
#define LATER(f) __attribute__((cleanup(f)))
static int depth;
static void say(int *x) { printf("[%d]", *x); *x = -1; }
static void count(const char **s) { depth += (*s)[0]; }
static int falls(int n) {
    LATER(say) int a = n, b = n + 1;
    int c __attribute__((__cleanup__(say))) = n + 2, d = 9;
    printf("body %d", d);
    return a + b + c;
}
static int early(int n) {
    LATER(say) int outer = 100 + n;
    for (LATER(say) int i = 0; i < 5; i++) {
        LATER(say) int inner = 10 * i;
        if (i == n) continue;
        if (i == n + 2) break;
        if (n > 3) return outer + inner;
        printf("(%d)", i);
    }
    return outer;
}
static int jumps(int n) {
    int round = 0;
again:
    {
        LATER(say) int here = round;
        if (round++ < n) goto again;
        {
            LATER(say) int deep = 50;
            if (n == 2) goto out;
            printf("deep ");
        }
        printf("here ");
    }
out:
    return round;
}
static int switches(int n) {
    switch (n) {
    case 1: {
        LATER(say) int one = 1;
        printf("one ");
        break;
    }
    case 2: ;
        LATER(say) int two = 2;
        printf("two ");
    default:
        printf("other ");
    }
    return n;
}
int main(void) {
    printf("%d\n", falls(1));
    for (int n = 0; n < 6; n++) printf(" %d\n", early(n));
    for (int n = 0; n < 4; n++) printf(" %d\n", jumps(n));
    for (int n = 1; n < 3; n++) printf(" %d\n", switches(n));
    int v = ({ LATER(say) int t = 6; t * 7; });
    { LATER(count) const char *s = "A"; (void)s; }
    printf("%d %d\n", v, depth);
    while (depth > 63) { LATER(say) int w = depth; depth--; }
    printf("\n");
    return 0;
}
