#include <stdio.h>
static double integrate(double (*f)(double), double a, double b, int n) { double h = (b - a) / n, s = 0.5 * (f(a) + f(b)); for (int i = 1; i < n; i++) s += f(a + i * h); return s * h; }
static double square(double x) { return x * x; }
static float half(float x) { return x / 2; }
int main(void) {
    double grid[3][3] = { { 1 }, { 0, 1.5 } }, max = -1e30; float f = 1.1f; int i = 7;
    for (int r = 0; r < 3; r++) for (int c = 0; c < 3; c++) { grid[r][c] += r - c * .5; if (grid[r][c] > max) max = grid[r][c]; }
    printf("%f %f %f\n", max, grid[1][1], integrate(square, 0, 3, 100));
    printf("%f %f %d\n", f, half(i), i / 2 * 2.0 == 6);
    i += 0.9; i -= -1.5f; printf("%d %d\n", i, (int)(f * 10));
    f = 16777217; printf("%f %d\n", f, 0.1f == 0.1);
    double d = i / 2; d = -d; printf("%f %f %d\n", d, 1e3 + 0x1p-1, !d);
    long big = 1l << 53; printf("%f %d\n", (double)big + 1.0, (double)(big + 1) == (double)big);
    unsigned u = 3000000000u; printf("%f %d\n", (double)u, d < u);
    return (int)(max * 2) + (d ? 1 : 0);
}
