//! What C means in the intermediate representation, by example.

use expect_test::{Expect, expect};

use crate::support;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&frontend::ir::dump::unit(&support::unit(text)));
}

#[test]
fn mpi_calls_and_constants() {
    check(
        "#include <mpi.h>\nvoid f(double *b, int n, MPI_Comm c) { MPI_Request r[2]; MPI_Status s;\n\
         MPI_Isend(b, n, MPI_DOUBLE, 1, MPI_ANY_TAG, c, &r[0]); PMPI_Irecv(&b[n], n, MPI_DOUBLE, MPI_ANY_SOURCE, 3, c, r + 1);\n\
         MPI_Waitall(2, r, MPI_STATUSES_IGNORE); MPI_Recv(MPI_BOTTOM, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s); n = s.MPI_SOURCE;\n\
         my_bcast(b, n, MPI_DOUBLE, 0, c); if (c == MPI_COMM_NULL) MPI_Abort(c, 1); }",
        expect![[r#"
            fn f(b: *double, n: int, c: MPI_Comm) -> void
              let r: [2]MPI_Request; addressed
              let s: struct MPI_Status; addressed
            b0:
              declare r
              declare s
              call MPI_Isend(b, n, MPI_DOUBLE, 1, MPI_ANY_TAG, c, &r[0])
              call PMPI_Irecv[MPI_Irecv](b + n, n, MPI_DOUBLE, MPI_ANY_SOURCE, 3, c, &r[1])
              call MPI_Waitall(2, &r[0], MPI_STATUSES_IGNORE)
              call MPI_Recv(MPI_BOTTOM, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &s)
              n = s.MPI_SOURCE
              call my_bcast[MPI_Bcast](b, n, MPI_DOUBLE, 0, c)
              if c == MPI_COMM_NULL then b1 else b2
            b1:
              call MPI_Abort(c, 1)
              goto b2
            b2:
              return
        "#]],
    );
}

#[test]
fn loops_and_inductions() {
    check(
        "int f(int n) { int i, s = 0; for (i = 0; i < n; i += 2) { int j = n; while (j-- > 0) { if (j == i) continue; s += j; } }\n\
         do { n >>= 1; } while (n); return s; }",
        expect![[r#"
            fn f(n: int) -> int
              let i: int
              let s: int
              let j: int
            b0:
              declare i
              s = 0
              i = 0
              goto b1
            b1: loop i+2
              if i < n then b2 else b7
            b2:
              j = n
              goto b3
            b3: loop j-1
              %4 = j
              j = j - 1
              if %4 > 0 then b4 else b6
            b4:
              if j == i then b3 else b5
            b5:
              s = s + j
              goto b3
            b6:
              i = i + 2
              goto b1
            b7: loop
              n = n >> 1
              if n then b7 else b8
            b8:
              return s
        "#]],
    );
}

#[test]
fn conditions_with_and_without_effects() {
    check(
        "int g(int); int f(int a, int b) { int x = a && b > 2; if (a && (g(b) || !b)) x = 3; return a ? g(a) : x ? b : -1; }",
        expect![[r#"
            fn f(a: int, b: int) -> int
              let x: int
            b0:
              x = a && (b > 2)
              if a then b1 else b4
            b1:
              %3 = call g(b)
              if %3 then b3 else b2
            b2:
              if !b then b3 else b4
            b3:
              x = 3
              goto b4
            b4:
              if a then b5 else b6
            b5:
              %4 = call g(a)
              %5 = %4
              goto b7
            b6:
              %5 = x ? b : -1
              goto b7
            b7:
              return %5
        "#]],
    );
}

#[test]
fn switch_and_goto() {
    check(
        "enum { ONE = 1 }; int f(int a) { switch (a) { case ONE: a++; case 2 ... 4: break; default: goto out; case UNKNOWN: a = 7; }\n\
         a = -a; out: return a; }",
        expect![[r#"
            extern var UNKNOWN: ?
            fn f(a: int) -> int
            b0:
              switch a 1: b1 2..4: b4 else b2
            b1:
              a = a + 1
              goto b4
            b2:
              if a == UNKNOWN then b3 else b5
            b3:
              a = 7
              goto b4
            b4:
              a = -a
              goto b5
            b5:
              return a
        "#]],
    );
}

#[test]
fn statics_globals_and_initialisers() {
    check(
        "struct p { int x; double y[2]; }; static struct p ps[] = { { 1, { 2 } }, [2].x = 3 }; extern int far; const char *s = \"a\\0b\";\n\
         int (*op)(void); volatile int flag; int f(void) { static int n = 4; static char z[3]; struct p q = { .y = { 1 } }; char w[] = \"hi\";\n\
         return n++ + far + (int)q.y[0] + w[0] + z[1] + flag + ps[0].x + op(); }",
        expect![[r#"
            static var ps: [3]struct p = {0: {0: 1, 1: {0: 2.0}}, 2: {0: 3}}
            extern var far: int
            var s: *char = "a\0b"
            var op: *fn() -> int
            volatile var flag: int
            fn f() -> int
              let n: int; static = 4
              let z: [3]char; static = 0
              let q: struct p
              let w: [3]char
            b0:
              q = zeros
              q.y[0l] = 1.0
              w = "hi"
              %4 = n
              n = n + 1
              %5 = call (*op)()
              return ((((((%4 + far) + (q.y[0] as int)) + w[0]) + z[1]) + flag) + ps[0].x) + %5
        "#]],
    );
}

#[test]
fn variable_length_arrays_and_sizes() {
    check(
        "#include <stdlib.h>\nint f(int n, double m[n][n]) { int a[n + 1][3], *p = malloc(sizeof *p * n); n = 0; a[1][2] = 5; m[1][0] = 2;\n\
         return sizeof a + sizeof(a[0]) + sizeof(int[4]) + *p; }",
        expect![[r#"
            fn f(n: int, m: *[]double) -> int
              let m: lengths %2
              let a: [][3]int; lengths %4, 3
              let p: *int
            b0:
              %2 = n
              %3 = n
              %4 = n + 1
              declare a
              p = call malloc(4ul * (n as ulong))
              n = 0
              a[1][2] = 5
              (*(m + 1))[0] = 2.0
              return (((sizeof(4ul * %4 * 3) + 12ul) + 16ul) + (*p as ulong)) as int
        "#]],
    );
}

#[test]
fn calls_that_do_not_return() {
    check(
        "#include <stdlib.h>\n#include <assert.h>\nvoid die(const char *) __attribute__((noreturn));\n\
         int f(int x) { assert(x > 0); if (x == 3) die(\"3\"); if (x == 4) { exit(1); free(0); } return x; }",
        expect![[r#"
            fn f(x: int) -> int
            b0:
              if x > 0 then b1 else b6
            b1:
              if x == 3 then b2 else b3
            b2:
              call die("3")
              unreachable
            b3:
              if x == 4 then b4 else b5
            b4:
              call exit(1)
              unreachable
            b5:
              return x
            b6:
              call __assert_fail("x > 0", "test.c", 4, "f")
              unreachable
            unreachable calls: 1
        "#]],
    );
}

#[test]
fn function_pointers_and_unknown_names() {
    check(
        "typedef struct opaque opaque; struct ops { int (*run)(int); }; static int id(int x) { return x; }\n\
         int f(struct ops *o, opaque *q, missing_t *m) { int (*p)(int) = id; o->run = &id; q->rank = m->rank; return p(1) + o->run(2) + (*p)(3) + mystery(LIMIT); }",
        expect![[r#"
            extern var LIMIT: ?
            static fn id(x: int) -> int
            b0:
              return x
            fn f(o: *struct ops, q: *struct opaque, m: *missing_t) -> int
              let p: *fn(int) -> int
            b0:
              p = &fn id
              (*o).run = &fn id
              (*q).rank = (*m).rank
              %4 = call (*p)(1)
              %5 = call (*(*o).run)(2)
              %6 = call (*p)(3)
              %7 = call mystery(LIMIT)
              return ((%4 + %5) + %6) + %7
        "#]],
    );
}

#[test]
fn what_has_no_model() {
    check(
        "int f(int x, ...) { __builtin_va_list ap; __builtin_va_start(ap, x); x = __builtin_va_arg(ap, int); __builtin_va_end(ap);\n\
         asm volatile (\"nop\" : \"=r\" (x) : \"r\" (1) : \"memory\"); __asm__ (\"foo %0\" : \"+m\" (x));\n\
         double _Complex z = 1.0 + 2.0i; void *l = &&out; goto *l; out: return __real__ z; }",
        expect![[r#"
            fn f(x: int) -> int
              let ap: __builtin_va_list; addressed
              let z: complex128
              let l: *void
            b0:
              declare ap
              call va_start(&ap)
              %2 = call va_arg(&ap)
              x = %2
              call va_end(&ap)
              opaque "inline assembly" writes anything
              opaque "inline assembly" writes [x]
              z = (1.0 as complex128) + <imaginary constant>
              l = <address of a label>
              goto any of b1
            b1:
              return real z as int
        "#]],
    );
}

#[test]
fn old_style_definitions() {
    check(
        "add(a, b) short b; { return a + b; }\nstatic limit = 3;\nint use(v) int v[]; { return v[limit]; }\nmain(argc, argv) char **argv; { return add(argc, 2); }",
        expect![[r#"
            static var limit: int = 3
            fn add(a: int, b: short) -> int
            b0:
              return a + b
            fn use(v: *int) -> int
            b0:
              return *(v + limit)
            fn main(argc: int, argv: **char) -> int
            b0:
              %2 = call add(argc, 2)
              return %2
        "#]],
    );
}

#[test]
fn the_size_of_a_handle_is_not_a_number() {
    check(
        "#include <mpi.h>\n#include \"missing.h\"\ntypedef struct { int id; MPI_Request r; } job;\n\
         void f(int n, char *p, struct undefined *u) { MPI_Request *a = malloc(n * sizeof(MPI_Request)); job *j = calloc(n, sizeof *j);\n\
         MPI_Status v[n], w[2][3]; p = p + sizeof(MPI_Comm); n = sizeof v; n = sizeof w; n = sizeof w / sizeof w[0][0];\n\
         n = sizeof(MPI_Comm) / sizeof(MPI_Comm); n = sizeof w / sizeof w[0]; n = sizeof(lib_t); n = sizeof *u; n = sizeof(MPI_Aint[2]); }",
        expect![[r#"
            extern var lib_t: ?
            fn f(n: int, p: *char, u: *struct undefined) -> void
              let a: *MPI_Request
              let j: *struct job
              let v: []struct MPI_Status; lengths %5
              let w: [2][3]struct MPI_Status
            b0:
              a = call malloc((n as ulong) * sizeof MPI_Request)
              j = call calloc(n, sizeof struct job)
              %5 = n
              declare v
              declare w
              p = p + sizeof MPI_Comm
              n = sizeof(sizeof struct MPI_Status * %5) as int
              n = (sizeof struct MPI_Status * 6ul) as int
              n = 6
              n = 1
              n = 2
              n = <size of an incomplete type> as int
              n = <size of an incomplete type> as int
              n = 16
              return
        "#]],
    );
}
