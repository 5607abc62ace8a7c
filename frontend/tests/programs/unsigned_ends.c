/* Where unsigned numbers end: enums without negative constants, comparisons with zero and across signs, 64 bits. */
#include <stdint.h>
#include <stdio.h>
enum side { LEFT, RIGHT };
enum level { LOW = -1, HIGH = 1 };
typedef enum __attribute__((packed)) { TINY, SMALL = 200 } Size;
enum wide { FAR = 0x100000000 };
struct edge { enum side side; Size size; unsigned low : 3; };
static enum side from(int n) { return n; }
static int is_left(enum side s) { return s < RIGHT; }
int main(void) {
    for (int n = -2; n < 4; n++) {
        enum side s = n;
        enum level l = n;
        struct edge e = { n, n, n };
        Size size = n;
        printf("%d %d %d %d\n", s > RIGHT, s - 1 < 0, s >= 0, -1 < (int)s);
        printf("%d %d %d\n", l < LOW, l >= 0, l - 1 < 0);
        printf("%d %d %d %d\n", e.side == s, e.size == size, e.low - 1 < 0, (int)sizeof e.size);
        printf("%d %d %d\n", from(n) > 100, is_left(n), (enum side)(n - 1) > 5);
        switch (s) {
        case LEFT: printf("left\n"); break;
        case RIGHT: printf("right\n"); break;
        default: printf("neither\n");
        }
        unsigned u = n;
        size_t z = n;
        uint8_t b = n;
        printf("%d %d %d %d\n", u < 1, z < sizeof z, b < n, n < sizeof n);
        printf("%d %d %d\n", 0 <= u, 0 > z, b - 1 < 0);
        printf("%llu %llu %llu\n", (unsigned long long)(z / 3), (unsigned long long)(z % 1000), (unsigned long long)(z >> 60));
    }
    enum side down = RIGHT;
    int rounds = 0;
    while (down <= RIGHT && rounds < 9) { down--; rounds++; }
    printf("%d %u %d\n", rounds, down, (int)sizeof(enum wide));
    for (unsigned i = 3; i < 4; i--) printf("%u", i);
    for (size_t i = 3; i-- > 0;) printf("%d", (int)i);
    printf("\n");
    return 0;
}
