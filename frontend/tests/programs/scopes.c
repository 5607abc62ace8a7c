#include <stdio.h>
int x = 1; extern int later; static int f(void); typedef long word;
enum color { RED, GREEN = RED + 5, BLUE };
static int g(int x) { { extern int x; x += 10; } { int x = 50; x++; } return x; }
struct t { int a; };
static int tags(void) { struct t { char a; } s = { 300 }; enum color { CYAN = 9 } c = CYAN; return s.a + c + (int)sizeof(struct t); }
static int params(int (*cb)(void), int v[const], word word) { return cb() + v[1] + (int)word; }
int later = 30;
static int f(void) { static int x = 5; return x++; }
int tentative; int tentative; int tentative = 4;
_Static_assert(sizeof(word) == 8, "long");
int main() {
    int v[2] = { 1, 2 };
    word w = later; word y = w, *z = &y;
    printf("%d ", g(3)); printf("%d %d\n", x, tags());
    printf("%d ", params(f, v, 4)); printf("%ld %d\n", *z, f());
    for (int x = 0; x < 2; x++) { int x = 7; x++; printf("%d", x); }
    typedef char word; word q = 300; printf("\n%d %d %d\n", q, (int)sizeof(word), BLUE);
    int RED = 8; printf("%d %d\n", RED, tentative);
    goto in; { int k = 3; in: k = 4; printf("%d\n", k); }
    const volatile unsigned long int long_name = 5ul; register short r = -2; auto int au = 1;
    printf("%lu %d\n", long_name, r + au);
    int a = 1, *b = &a, c[2][2] = { { 1, 2 }, { 3, 4 } }, (*d)[2] = c; printf("%d %d\n", *b, d[1][0]);
    return x;
}
