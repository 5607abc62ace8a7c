#include <stdio.h>
#include <stdint.h>
int main(void) {
    unsigned u = 1; int i = -1; long l = -1; unsigned char uc = 255; signed char sc = -1; char ch = '\xff';
    unsigned short us = 65535; _Bool bo = 5; float fl = 0.1f; double d = 3.99; uint64_t big = 1ull << 63;
    printf("%d %d %d\n", i < u, l < u, (unsigned)i > 5);
    printf("%d %d %d %d\n", uc + 1, sc - 1, ch == -1, us * 2);
    printf("%u %d %d\n", uc << 24, (int)d, (int)-d);
    printf("%d %d %d\n", bo, (_Bool)0.5, (char)300);
    uc += 300; us -= 70000; sc = 200; bo = 0.1;
    printf("%d %d %d %d\n", uc, us, sc, bo);
    printf("%f %f %f\n", fl * 2, d / 2, (double)i / 2);
    printf("%ld %lu %ld\n", (long)big, big >> 3, (long)(big >> 60) - 9);
    printf("%d %d\n", -7 / 2, -7 % 3);
    printf("%d %u\n", ~0, ~0u);
    printf("%ld %d\n", 2147483648, 0x80000000 > 0);
    printf("%d %d\n", 'a' + 1, 'ab');
    i = 3; i *= 1.5; printf("%d\n", i);
    i <<= 2; i >>= 1; i %= 5; printf("%d\n", i);
    l = i ? u : l; printf("%ld\n", l);
    l = 0 ? 1u : -1; printf("%ld\n", l);
    unsigned char x = 10; x = -x; printf("%d\n", x); x = ~x; printf("%d\n", x);
    short s = 32767; s++; printf("%d\n", s); s--; --s; printf("%d\n", s);
    enum { A, B = 10, C, D = -4 } e = C; printf("%d %d %d\n", e, D, e > D);
    printf("%d\n", (int)sizeof(1 ? (char)1 : (char)2));
    return 0;
}
