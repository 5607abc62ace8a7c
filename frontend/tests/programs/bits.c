#include <stdio.h>
static unsigned crc(const char *s) { unsigned c = ~0u; while (*s) { c ^= (unsigned char)*s++; for (int k = 0; k < 8; k++) c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1; } return ~c; }
static int log2_(unsigned n) { int r = -1; while (n) { n >>= 1; r++; } return r; }
static int partner(int rank, int np) { for (int m = 1; m < np; m <<= 1) if (rank & m) return rank ^ m; return -1; }
static long gcd(long a, long b) { while (b) { long t = a % b; a = b; b = t; } return a; }
int main(void) {
    printf("%x %d %d\n", crc("anyrank"), log2_(1000), log2_(0));
    for (int r = 0; r < 8; r++) printf("%d ", partner(r, 8));
    printf("\n%ld %ld\n", gcd(84, 36), gcd(-84, 36));
    int rank = 3, np = 5;
    printf("%d %d %d\n", (rank - 4 + np) % np, (rank - 4) % np, !rank % 2);
    unsigned long long v = 0x0123456789abcdefULL; v = v << 20 | v >> 44; printf("%lx\n", (unsigned long)v);
    int n = -17; printf("%d %d %u\n", n >> 2, n / 4, (unsigned)n >> 28);
    unsigned char m = 0; m |= 1 << 7; m = m >> 3 | m << 5; printf("%d\n", m);
    signed char sc = m ^ 0xf0; printf("%d %d\n", sc, sc & 0xff);
    printf("%d %d %d\n", 5 & 3 == 3, (5 & 3) == 3, 1 << 2 + 1);
    return partner(6, 8) + (10 - 4 - 3) + (100 / 10 / 5) + (2 - -2);
}
