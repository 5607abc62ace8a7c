/* The order of side effects where C fixes it. */
#include <stdio.h>
static int log_[64], at;
static int note(int x) { log_[at++] = x; return x; }
static int g = 1;
static int change(void) { g = g * 3 + 1; return g; }
static int nested(int d) { return d ? note(d) + nested(d - 1) : (note(-1), 0); }
struct s { int a[4]; int n; };
static struct s *get(struct s *p) { note(50); return p; }
int main(void) {
    int a = 1, b = 2, x, y[5] = { 0 };
    x = (a = 3, b = a + 1, note(b)) * 2;
    y[note(1)] = 7; y[2] = y[1]++; x += y[1] + (y[2] == 7);
    a = b = x; a += b -= 3; printf("%d %d %d\n", a, b, x);
    x = change() > 3 ? change() : -1; printf("%d %d\n", x, g);
    struct s st = { { 1, 2, 3, 4 }, 2 };
    get(&st)->a[get(&st)->n++] += 10; printf("%d %d\n", st.a[2], st.n);
    int *p = st.a; *p = *p == 1 ? 5 : 6; p++;
    x = note(7) && note(0) && note(8); x = x * 10 + (note(0) || note(9));
    int i = 0; while (i++ < 3 && note(i) != 2) ; printf("%d %d\n", i, x);
    for (int j = note(20); j < 22; note(j++)) { if (j == 21) continue; note(99); }
    do i--; while (note(i) > 0);
    switch (note(3) + i) { case 3: note(33); case 4: note(44); break; default: note(55); }
    x = nested(3); x = (x, note(60), x + 1);
    if (!(a = 0) || note(70)) b = a++ ? 1 : a; printf("%d %d\n", a, b);
    x = sizeof(note(80)) + sizeof(a++); printf("%d %d\n", x, a);
    char c = 127; c++; printf("%d\n", c);
    y[0] = y[1] = y[2] = 4; y[y[0]] = y[0] - 1; printf("%d\n", y[4]);
    (void)note(90); (a > 0 ? note : note)(91);
    for (int k = 0; k < at; k++) printf("%d ", log_[k]);
    printf("\n%d\n", st.a[0] != 0);
    return at;
}
