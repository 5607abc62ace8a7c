#include <stdio.h>
#include <stddef.h>
#include <string.h>
struct point { int x, y; };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; unsigned c : 9; long d : 40; };
struct __attribute__((packed)) packed { char c; int i; short s; };
typedef struct node { struct node *next; union { int i; double d; char s[8]; }; struct { short lo, hi; } half[2]; } node;
static struct point origin = { .y = 4, .x = 3 };
static struct point table[] = { [2] = { 5, 6 }, { 7 }, [0].y = 9 };
static const char *names[] = { "zero", [2] = "two" };
int matrix[2][3] = { 1, 2, 3, { 4 }, };
int ragged[][2] = { { 1 }, { 2, 3 }, 4, 5 };
static struct point add(struct point a, struct point b) { a.x += b.x; a.y += b.y; return a; }
static int sum(const struct point *p, int n) { int s = 0; while (n--) { s += p->x * 10 + p->y; p++; } return s; }
int main(void) {
    struct point p = add(origin, (struct point){ 1, .y = 2 }), q = p, *r = &q;
    printf("%d %d %d\n", p.x, p.y, add(p, q).y);
    r->x = 9; (*r).y -= 4; printf("%d %d %d %d\n", p.x, q.x, q.y, sum(table, 4));
    struct bits b = { 5, -3, 300 }; b.a += 6; b.b--; b.d = -1; b.c |= 0x101;
    printf("%d %d %d %ld\n", b.a, b.b, b.c, (long)b.d);
    printf("%d %d %d %d\n", (int)sizeof(struct bits), (int)sizeof(struct packed), (int)sizeof(node), (int)offsetof(node, half[1].hi));
    printf("%d %d\n", (int)offsetof(struct packed, s), (int)_Alignof(node));
    node n = { 0 }; n.i = 65; n.half[1].hi = 7; n.next = &n;
    printf("%c %d %d\n", n.s[0], n.next->next->half[1].hi, (int)sizeof n.half);
    printf("%s %d %s\n", names[0], names[1] == NULL, names[2]);
    printf("%d %d %d %d\n", matrix[0][2], matrix[1][0], matrix[1][2], (int)(sizeof ragged / sizeof *ragged));
    printf("%d %d\n", ragged[2][1], ragged[0][1]);
    int *flat = &matrix[0][0]; int (*row)[3] = matrix + 1;
    printf("%d %d %d\n", flat[3], (*row)[0], (int)(row - matrix));
    char word[8] = "abc", copy[] = { 'x', 'y', 0 }; struct point many[3] = { { 1, 2 }, 3, 4, 5 };
    printf("%s %d %s %d %d\n", word, word[7], copy, (int)sizeof copy, many[2].x + many[2].y);
    struct { struct point a[2]; int z; } nested = { { [1] = { .y = 8 } }, 6 }, other; other = nested;
    printf("%d %d %d\n", other.a[0].x, other.a[1].y, other.z);
    union { unsigned u; unsigned char c[4]; } un = { 0x01020304 }; un.c[0] = 9;
    printf("%x\n", un.u);
    int range[] = { [1 ... 3] = 7, 8 }; printf("%d %d %d\n", range[0], range[3], range[4]);
    return (int)strlen(word);
}
