//! Answers to programs that the corpus has no room for: those that take long, and those of which it only matters that nothing is
//! claimed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::rules::Rule;
use analyzer::{NpChoice, Options, analyze_program};
use effort::Limits;
use frontend::preprocess::{Request, preprocess};
use frontend::program::link;

fn answer(text: &str, limits: Limits) -> ProgramReport {
    answer_with(text, &Options { limits, ..Options::default() })
}

/// The answer with an instance.
fn answer_at(text: &str, np: u64) -> ProgramReport {
    answer_with(text, &Options { limits: Limits::of_seconds(20), instance: Some(np), ..Options::default() })
}

pub(crate) fn answer_with(text: &str, options: &Options) -> ProgramReport {
    let request = Request::new("program.c").with_text(text);
    let preprocessed = preprocess(&request).expect("the text has nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("program.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    let program = link(&[Arc::new(unit)]).remove(0);
    analyze_program(&program, options)
}

/// A ring whose tag is read after some statements have been executed.
fn ring_after(statements: &str, functions: &str) -> ProgramReport {
    let text = format!(
        r#"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
{functions}
int main(int argc, char **argv)
{{
    int rank, size, in = 0, one = 1, tag = 3, spare = 3, *integer = &tag;
    char text[8] = "abc", other[8] = "def", *cells[2] = {{text, other}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    {statements}
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + one) % size, tag, &in, 1, MPI_INT, (rank + size - one) % size, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + spare + *integer + text[0] + other[0] < 0;
}}
"#
    );
    answer(&text, Limits::of_seconds(20))
}

const STRINGS_ONLY: &str = "characters are stored in strings only";

/// What is stored as characters may be part of anything: this is assumed away only where the program gives no sign of it.
#[test]
fn characters_change_other_objects_where_the_program_looks_at_bytes() {
    let put = "static void put(char *to) { to[1] = 1; }";
    let get = "static void *get(size_t size) { void *new = malloc(size); if (!new) exit(1); return new; }";
    for (statements, functions) in [
        ("cells[time(NULL) % 2][1] = 'x';", ""),
        ("cells[0] = malloc(9); cells[1] = (char *)malloc(9); cells[time(NULL) % 2][1] = 'x';", ""),
        ("cells[0] = get(9); cells[1] = (char *)get(9); cells[time(NULL) % 2][1] = 'x';", get),
    ] {
        let report = ring_after(statements, functions);
        assert_eq!(report.verdict.kind, VerdictKind::Exact, "{statements}: {:?}", report.verdict);
        assert!(report.verdict.assumptions.iter().any(|a| a == STRINGS_ONLY), "{statements}");
    }
    for (statements, functions) in [
        ("cells[0] = (char *)&tag; cells[1] = (char *)&spare; cells[time(NULL) % 2][1] = 1;", ""),
        ("cells[time(NULL) % 2][1] = 1; *((char *)integer + 1) = 1;", ""),
        ("void *all[2] = {&tag, &spare}; char *one_of = all[time(NULL) % 2]; one_of[1] = 1;", ""),
        ("put((char *)(time(NULL) % 2 ? &tag : &spare));", put),
        ("if (time(NULL) % 2) put((char *)&tag);", put),
        (
            "void *all[2] = {&tag, &spare}; cells[1] = all[time(NULL) % 2];
             memcpy(cells[time(NULL) % 2], &one, sizeof one);",
            "",
        ),
    ] {
        let report = ring_after(statements, functions);
        let assumes = report.verdict.assumptions.iter().any(|a| a == STRINGS_ONLY);
        assert!(
            report.verdict.kind != VerdictKind::Exact || report.topology.channels.is_empty(),
            "{statements}"
        );
        assert!(!assumes, "{statements}");
    }
}

/// In each of a hundred time steps the rows and columns at the borders of a mesh of any shape are exchanged.
#[test]
fn time_steps_over_a_mesh_are_counted() {
    let text = r"
#include <mpi.h>
int main(int argc, char **argv)
{
    int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, north, south, west, east;
    double mine = 1, other = 0;
    MPI_Comm mesh;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &mesh);
    MPI_Comm_rank(mesh, &rank);
    MPI_Cart_shift(mesh, 0, 1, &north, &south);
    MPI_Cart_shift(mesh, 1, 1, &west, &east);
    for (int step = 0; step < 100; step++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, north, 0, &other, 1, MPI_DOUBLE, south, 0, mesh, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, south, 1, &other, 1, MPI_DOUBLE, north, 1, mesh, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, west, 2, &other, 1, MPI_DOUBLE, east, 2, mesh, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, east, 3, &other, 1, MPI_DOUBLE, west, 3, mesh, MPI_STATUS_IGNORE);
        mine += other;
    }
    MPI_Comm_free(&mesh);
    MPI_Finalize();
    return 0;
}
";
    let report = answer(text, Limits::of_seconds(120));
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    let repeats: Vec<&str> = report.topology.channels.iter().map(|c| c.repeat.as_str()).collect();
    assert_eq!(repeats, ["100"; 4]);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

/// A program that is right, whose rounds are told apart by their parity and whose number is an input: there is nothing to find even
/// where the time does not suffice for an answer.
#[test]
fn nothing_is_found_in_turns_of_which_the_user_sets_the_number() {
    let text = r"
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, np, taken = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int rounds = argc > 1 ? atoi(argv[1]) : 3;
    for (int round = 0; round < rounds; round++) {
        int gives = (rank + round) % 2 == 0;
        if (gives && rank + 1 < np)
            MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
        if (!gives && rank > 0)
            MPI_Recv(&taken, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return taken < 0;
}
";
    let report = answer(text, Limits::of_seconds(2));
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

/// A program in which a branch depends on the outcome of a function that is not evaluated.
fn chain_with(statements: &str) -> ProgramReport {
    let text = format!(
        r"
#include <math.h>
#include <mpi.h>
int main(int argc, char **argv)
{{
    int rank, size, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {statements}
    MPI_Finalize();
    return value < 0;
}}
"
    );
    answer(&text, Limits::of_seconds(20))
}

/// Nothing is reported of a path that may not exist; what happens on both sides of a branch is.
#[test]
fn findings_do_not_rest_on_functions_that_are_not_evaluated() {
    let right = chain_with(
        "int edge = (int)cbrt((double)size), used = edge * edge * edge;
         if (rank + 1 < used) MPI_Send(&value, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
         if (0 < rank && rank < used)
             MPI_Recv(&value, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    assert!(right.findings.is_empty(), "{:?}", right.findings);
    assert_ne!(right.verdict.kind, VerdictKind::Exact);
    let wrong = chain_with(
        "if (cos(0.5) > 0.87) MPI_Barrier(MPI_COMM_WORLD);
         if (rank == 0) MPI_Recv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    let rules: Vec<&str> = wrong.findings.iter().map(|finding| finding.rule.id()).collect();
    assert_eq!(rules, ["deadlock", "unmatched-recv"]);
}

/// A ring whose tag is the sum of what may have changed on some ranks only, in code that is passed over. With `called_back` the code is
/// beyond what is analysed of its values: only what it may store to is known.
fn ring_after_some_ranks(statements: &str, functions: &str, called_back: bool) -> ProgramReport {
    let sort = if called_back { "qsort(unsorted, 3, sizeof(int), compare);" } else { "" };
    let text = format!(
        r"
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
static int unsorted[3], global_tag = 3, *where;
struct box {{ int count, tag; struct box *next; int *at; }};
static int compare(const void *a, const void *b) {{ return *(const int *)a - *(const int *)b; }}
{functions}
int main(int argc, char **argv)
{{
    int rank, size, in = 0, tag = 3, spare = 3, list[4] = {{3, 3, 3, 3}}, *spots[2] = {{&tag, &spare}};
    struct box box = {{1, 3, 0, &spare}}, other = {{1, 3, &box, &tag}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    where = &tag;
    if (rand() % (rank + 2) > 1) {{ {sort} {statements} }}
    int all = tag + global_tag + box.tag + list[2];
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, all, &in, 1, MPI_INT, (rank + size - 1) % size, all,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + spare + other.count + *spots[0] < 0;
}}
"
    );
    answer(&text, Limits::of_seconds(20))
}

/// What a function stores through a parameter changes what it is given, wherever that comes from; nothing else.
#[test]
fn stores_through_parameters_change_what_is_given() {
    let set = "static void set(int *p, int v) { *p = v; }";
    let changing = [
        ("set(&tag, time(0));", set),
        ("set(&global_tag, time(0));", set),
        ("set(&box.tag, time(0));", set),
        ("set(spots[time(0) % 2], time(0));", set),
        ("set(list + 1, time(0));", "static void set(int *p, int v) { p++; *p = v; }"),
        ("set(&spare, time(0));", "static void set(int *p, int v) { p = where; *p = v; }"),
        ("set(&other, time(0));", "static void set(struct box *p, int v) { p->next->tag = v; }"),
        (
            "set(&other, time(0));",
            "static void in(int *q, int v) { *q = v; } static void set(struct box *p, int v) { in(p->at, v); }",
        ),
        (
            "set(&tag, time(0));",
            "static void in(int **q, int v) { **q = v; } static void set(int *p, int v) { in(&p, v); }",
        ),
        (
            "set(&spare, time(0));",
            "static void aim(int **q) { *q = where; } static void set(int *p, int v) { aim(&p); *p = v; }",
        ),
        ("set(&tag, time(0));", "static void set(int *p, int v) { int l = 0, *q = v ? p : &l; *q = v; }"),
        (
            "set(&tag, time(0) % 5);",
            "static void set(int *p, int v) { int l = 0; if (v > 0) set(v == 1 ? p : &l, v - 1); else *p = v; }",
        ),
        (
            "set(&spare, &tag, time(0) % 5);",
            "static void set(int *p, int *q, int v) { if (v > 0) set(q, p, v - 1); else *p = v; }",
        ),
        (
            "set(&spare, time(0) % 5);",
            "static void in(int *p, int v);
             static void set(int *p, int v) { if (v > 3) in(p, v); else *where = v; }
             static void in(int *p, int v) { *p = v; set(p, v - 1); }",
        ),
        (
            "struct box *w = &other; for (int i = 0; i < 3; i++) { *w->at = time(0); w->at = &global_tag; } tag = 3;",
            "",
        ),
        (
            "struct box *w = &other; for (int i = 0; i < 3; i++) { set(w->at, time(0)); w->at = &global_tag; } tag = 3;",
            set,
        ),
    ];
    for (statements, functions) in changing {
        for called_back in [false, true] {
            let report = ring_after_some_ranks(statements, functions, called_back);
            assert_ne!(report.verdict.kind, VerdictKind::Exact, "{statements} {functions} {called_back}");
        }
    }
    let harmless = [
        ("set(&spare, time(0));", set),
        (
            "set(&spare, time(0));",
            "static void next(int **q) { (*q)++; }
             static void set(int *p, int v) { int l[3] = {v, v, v}, *e = l; next(&e); *p = *e; }",
        ),
        (
            "set(&spare, time(0) % 5);",
            "static void in(int *p, int v);
             static void set(int *p, int v) { if (v > 0) in(p, v); else *p = v; }
             static void in(int *p, int v) { *p = v; set(p, v - 1); }",
        ),
    ];
    for (statements, functions) in harmless {
        for called_back in [false, true] {
            let report = ring_after_some_ranks(statements, functions, called_back);
            assert_eq!(report.verdict.kind, VerdictKind::Exact, "{statements} {functions} {called_back}");
        }
    }
}

/// What a function that calls itself stores through a parameter, where each activation may go a different way on each rank.
#[test]
fn stores_in_recursions_change_what_they_are_given() {
    let some = "time(NULL) % (rank + 2)";
    let changing = [
        ("deep(&tag, V);", "static void deep(int *p, int v) { if (v > 1) deep(p, v - 1); else *p = v; }"),
        (
            "deep(&spare, &tag, V);",
            "static void deep(int *p, int *q, int v) { if (v > 1) deep(q, p, v - 1); *p = v; }",
        ),
        (
            "deep(&tag, V);",
            "static int *at;
             static void deep(int *p, int v) { if (v > 1) { at = p; deep(&v, v - 1); } else if (at) *at = v; }",
        ),
        (
            "deep(&spare, V); tag = left;",
            "static int left = 3;
             static void deep(int *p, int v) { int l = 3; if (v > 1) deep(&l, v - 1); *p = v; left = l; }",
        ),
        ("tag = deep(V);", "static int deep(int v) { int l = 3; if (v > 1) l = deep(v - 1); return l + v; }"),
    ];
    for (statements, functions) in changing {
        let report = ring_after(&statements.replace('V', some), functions);
        assert_ne!(report.verdict.kind, VerdictKind::Exact, "{statements} {functions}");
    }
    let harmless = [
        (
            "deep(&spare, V);",
            "static void deep(int *p, int v) { int l = 7; if (v > 1) { l = 3; deep(p, v - 1); } *p = l; }",
        ),
        (
            "deep(&spare, V);",
            "static int deep(int *p, int v);
             static int other(int *p, int v) { int l = v; *p = v; return deep(v > 4 ? p : &l, v); }
             static int deep(int *p, int v) { if (v > 1) v += other(p, v - 1); *p = v; return v; }",
        ),
    ];
    for (statements, functions) in harmless {
        let report = ring_after(&statements.replace('V', some), functions);
        assert_eq!(report.verdict.kind, VerdictKind::Exact, "{statements} {functions} {:?}", report.verdict);
    }
}

/// A ring whose tag and communicator are in allocated memory, after something has been stored where a pointer points to that comes out
/// of a pool. `handed`: what has been done before.
fn ring_after_pool(handed: &str, functions: &str, stored: &str) -> ProgramReport {
    let text = format!(
        r#"
#include <mpi.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct grid {{ MPI_Comm comm; int tag; struct grid *self; }};
struct list {{ void *first; struct list *next; }};
static void *freed[4], **spots = freed, *known[4];
static long numbers[4];
static char text[64];
static FILE *file;
static void *take(void) {{ return freed[time(0) % 4]; }}
static void give(void *p) {{ freed[time(0) % 4] = p; }}
static void *get(size_t size) {{ void *new = malloc(size); if (!new) exit(1); return new; }}
static void put(int value) {{ *(int *)take() = value; }}
static void clear(void *p) {{ memset(p, 0, 8); }}
static void both(int value) {{ *(int *)take() = value; clear(take()); }}
static void (*acts[2])(int) = {{put, both}};
static void deep(int depth, void *p) {{ if (depth > 0) deep(depth - 1, p); else *(int *)p = depth; }}
{functions}
int main(int argc, char **argv)
{{
    int rank, size, in = 0, number = 3;
    struct grid *grid = get(sizeof *grid);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grid->comm = MPI_COMM_WORLD; grid->tag = 3; grid->self = 0;
    for (int i = 0; i < 4; i++) {{ freed[i] = get(64); known[i] = 0; }}
    {handed}
    {stored}
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, grid->tag, &in, 1, MPI_INT, (rank + size - 1) % size, 3,
                 grid->comm, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in + number + text[0] + (int)numbers[0] < 0;
}}
"#
    );
    answer(&text, Limits::of_seconds(20))
}

/// What is stored through a pointer out of a pool changes what has been given to the pool, however it got there, and nothing else.
#[test]
fn stores_through_pointers_out_of_pools_change_what_has_been_given_to_these() {
    let stores = [
        "*(int *)take() = rank;",
        "memset(take(), 0, 8);",
        "memcpy(take(), known, 8);",
        "if (rand() % (rank + 2) > 1) { *(int *)take() = rank; }",
        "if (rand() % (rank + 2) > 1) { memset(take(), 0, 8); }",
        "if (rand() % (rank + 2) > 1) { memcpy(take(), known, 8); }",
        "if (rand() % (rank + 2) > 1) { put(rank); clear(take()); deep(rank, take()); }",
        "put(rank);",
        // Functions of which only what they may change is looked at.
        "acts[time(0) % 2](rank);",
    ];
    let harmless = [
        ("", ""),
        ("give(get(9)); known[1] = grid; known[2] = known[1];", ""),
        ("grid->self = grid; give(malloc(64));", ""),
        ("keep(grid); give(get(8));", "static void *kept; static void keep(void *p) { kept = p; }"),
        ("free(grid); grid = get(64); grid->comm = MPI_COMM_WORLD; grid->tag = 3; give(get(64));", ""),
        ("for (int i = 0; i < 3; i++) freed[i] = realloc(freed[i], 99);", ""),
    ];
    for (handed, functions) in harmless {
        for stored in stores {
            let report = ring_after_pool(handed, functions, stored);
            assert_eq!(report.verdict.kind, VerdictKind::Exact, "{handed} {stored} {:?}", report.verdict);
        }
    }
    let changing = [
        ("give(grid);", ""),
        ("give(&grid->tag);", ""),
        ("spots[time(0) % 4] = grid;", ""),
        ("known[1] = grid; memcpy(freed, known, sizeof freed);", ""),
        (
            "known[1] = grid; for (unsigned i = 0; i < sizeof freed; i++) ((char *)freed)[i] = ((char *)known)[i];",
            "",
        ),
        ("numbers[1] = (long)grid; give((void *)numbers[time(0) % 2]);", ""),
        ("give((char *)grid + 8);", ""),
        ("give((void *)((uintptr_t)grid + 8));", ""),
        ("struct list l = {grid, 0}, m = l; give(m.first);", ""),
        ("struct list *l = get(sizeof *l); l->first = grid; l->next = l; give(l->next->next->first);", ""),
        ("grid->self = grid; give(grid->self->self);", ""),
        (
            "give_some(2, known, grid);",
            "static void give_some(int n, ...) { va_list all; va_start(all, n); void *p = 0; for (int i = 0; i < n; i++) p = va_arg(all, void *); give(p); va_end(all); }",
        ),
        ("through(grid, give);", "static void through(void *p, void (*f)(void *)) { f(p); }"),
        (
            "known[1] = grid; qsort(known, 4, sizeof(void *), cmp);",
            "static int cmp(const void *a, const void *b) { give(*(void **)a); return a < b; }",
        ),
        ("elsewhere(grid); give(back());", "void elsewhere(void *p); void *back(void);"),
        (
            "struct list l = {grid, 0}; elsewhere(&l); give(back());",
            "void elsewhere(void *p); void *back(void);",
        ),
        (
            "known[1] = grid; MPI_Sendrecv(known, 4, MPI_AINT, rank, 0, freed, 4, MPI_AINT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            "",
        ),
        ("MPI_Aint at; MPI_Get_address(grid, &at); give((void *)at);", ""),
        ("known[1] = grid; void **copy = realloc(memcpy(malloc(32), known, 32), 64); give(copy[1]);", ""),
        (
            "grid = made(); grid->comm = MPI_COMM_WORLD; grid->tag = 3;",
            "static void *made(void) { void *new = get(64); give(new); return new; }",
        ),
        ("grid = freed[time(0) % 4]; grid->comm = MPI_COMM_WORLD; grid->tag = 3;", ""),
        ("*pass(&known[1]) = grid; give(known[1]);", "static void **pass(void **p) { return p; }"),
        (
            "fill(&known[1], grid); give(known[1]);",
            "static void fill(void **p, void *q) { if (time(0) % 3) fill(p, q); else *p = q; }",
        ),
        ("union { struct grid *a; long b; } u; u.a = grid; numbers[0] = u.b; give((void *)numbers[0]);", ""),
        ("give(time(0) % 2 ? (void *)grid : get(64));", ""),
        ("char *end; strtol((char *)grid, &end, 10); give(end);", ""),
        ("struct grid *p = grid; p += time(0) % 2; p--; give(p);", ""),
    ];
    for (handed, functions) in changing {
        for stored in stores {
            let report = ring_after_pool(handed, functions, stored);
            assert_ne!(report.verdict.kind, VerdictKind::Exact, "{handed} {functions} {stored}");
        }
    }
}

/// The same for ways that a whole-program analysis may lose an address on: pieces of it, the library, files, MPI, and code that is not
/// there.
#[test]
fn addresses_get_into_pools_in_whatever_way() {
    let ways: &[(&str, &str)] = &[
        // Numbers and pieces.
        ("give(&((char *)0)[(uintptr_t)grid]);", ""),
        ("give((char *)0 + (uintptr_t)grid);", ""),
        ("give((void *)(((uintptr_t)grid ^ 77) ^ 77));", ""),
        ("give((void *)~~(uintptr_t)grid);", ""),
        ("give((void *)labs((long)grid));", ""),
        (
            "union { void *p; unsigned half[2]; } a, b; a.p = grid; b.half[0] = a.half[0]; b.half[1] = a.half[1]; give(b.p);",
            "",
        ),
        ("for (int i = 0; i < 8; i++) ((unsigned char *)known)[i] = (uintptr_t)grid >> 8 * i; give(known[0]);", ""),
        ("for (int i = 0; i < 8; i++) memset((char *)known + i, (uintptr_t)grid >> 8 * i, 1); give(known[0]);", ""),
        ("struct { double d; } box; union { void *p; double d; } u; u.p = grid; box.d = u.d; memcpy(known, &box, 8); give(known[0]);", ""),
        ("unsigned long bits = (unsigned long)grid; double d = bits; give((void *)(unsigned long)d);", ""),
        ("struct { unsigned long bits : 48; } b; b.bits = (unsigned long)grid; give((void *)(unsigned long)b.bits);", ""),
        // Variables of all kinds.
        ("argv[0] = (char *)grid; give(argv[0]);", ""),
        (
            "grid = &the; grid->comm = MPI_COMM_WORLD; grid->tag = 3; give(*box.spot);",
            "static struct grid the; static void *spot = &the; static struct { void **spot; } box = {&spot};",
        ),
        ("struct list *l = &(struct list){grid, 0}; give(l->first);", ""),
        ("give(((void *[]){0, grid})[1]);", ""),
        ("void *all[rank + 2]; all[rank + 1] = grid; give(all[1]);", ""),
        ("void **all = alloca(16); all[1] = grid; give(all[1]);", ""),
        ("keep(grid); keep(0);", "static void keep(void *p) { static void *last; if (last) give(last); last = p; }"),
        ("jump(grid);", "#include <setjmp.h>\nstatic jmp_buf at; static void jump(void *p) { void *volatile q = 0; if (setjmp(at)) { give(q); return; } q = p; longjmp(at, 1); }"),
        ("table[time(0) % 2](grid);", "static void (*table[2])(void *) = {give, give};"),
        ("ops.f(grid);", "static const struct { int n; void (*f)(void *); } ops = {1, give};"),
        ("((void (*)(struct grid *))give)(grid);", ""),
        ("give(first((struct list){grid, 0}));", "static void *first(struct list l) { return l.first; }"),
        ("give(pack(grid).first);", "static struct list pack(void *p) { struct list l = {p, 0}; return l; }"),
        ("some(1, 2, (struct list){grid, 0});", "static void some(int n, ...) { va_list a; va_start(a, n); va_arg(a, int); give(va_arg(a, struct list).first); va_end(a); }"),
        ("some(1, grid);", "static void each(va_list a) { give(va_arg(a, void *)); } static void some(int n, ...) { va_list a, b; va_start(a, n); va_copy(b, a); each(b); va_end(b); va_end(a); }"),
        ("some(1, grid); give(back());", "void elsewhere(va_list a); void *back(void); static void some(int n, ...) { va_list a; va_start(a, n); elsewhere(a); va_end(a); }"),
        // The C library.
        ("give(strchr((char *)grid, 3));", ""),
        ("give(memchr(grid, 3, 8));", ""),
        ("give(strstr((char *)grid, text));", ""),
        ("give(memcpy(grid, known, 0));", ""),
        ("give(strcpy((char *)grid + 8, text));", ""),
        ("give(fgets((char *)grid, 1, stdin));", ""),
        ("give(strtok((char *)grid, text));", ""),
        ("strtok((char *)grid, text); give(strtok(0, text));", ""),
        ("char *at; give(strtok_r((char *)grid, text, &at));", ""),
        ("char *at; strtok_r((char *)grid, text, &at); give(at);", ""),
        ("char *at = (char *)grid; strsep(&at, text); give(at);", "char *strsep(char **, const char *);"),
        ("give(*(void **)bsearch(grid, &grid, 1, 8, cmp));", "static int cmp(const void *a, const void *b) { return a < b; }"),
        ("bsearch(grid, known, 4, 8, cmp);", "static int cmp(const void *a, const void *b) { give((void *)a); return a < b; }"),
        ("known[1] = grid; sort(known, cmp);", "static int cmp(const void *a, const void *b) { give(*(void **)a); return a < b; }
          static void sort(void **all, int (*f)(const void *, const void *)) { qsort(all, 4, sizeof *all, f); }"),
        ("known[0] = grid; known[1] = stop; atexit(stop); kept = grid; elsewhere(known); give(back());", "static void *kept; static void stop(void) { give(kept); } void elsewhere(void *p); void *back(void);"),
        ("char *copy = strdup((char *)&grid); give(*(void **)copy);", ""),
        ("void **grown = calloc(4, 8); grown[1] = grid; grown = realloc(grown, 99); give(grown[1]);", ""),
        ("sprintf(text, \"%p\", (void *)grid); void *q; sscanf(text, \"%p\", &q); give(q);", ""),
        ("snprintf(text, 64, \"%lx\", (unsigned long)grid); give((void *)strtoul(text, 0, 16));", ""),
        ("fprintf(file, \"%p\", (void *)grid); rewind(file); void *q; fscanf(file, \"%p\", &q); give(q);", ""),
        ("fwrite(&grid, 8, 1, file); rewind(file); void *q; fread(&q, 8, 1, file); give(q);", ""),
        ("setenv(\"A\", text, (sprintf(text, \"%p\", (void *)grid), 1)); give((void *)strtoul(getenv(\"A\"), 0, 16));", ""),
        ("__builtin_memcpy(freed, &grid, 8);", ""),
        ("__atomic_store_n(&freed[time(0) % 4], (void *)grid, 0);", ""),
        ("__sync_lock_test_and_set(&freed[time(0) % 4], (void *)grid);", ""),
        ("void *q; __asm__(\"\" : \"=r\"(q) : \"0\"(grid)); give(q);", ""),
        // Code that is not there.
        ("void **own = aligned_alloc(64, 64); own[1] = grid; give(own[1]);", ""),
        ("void **own; posix_memalign((void **)&own, 64, 64); own[1] = grid; give(own[1]);", ""),
        ("struct list *own = make(8); own->next = make(8); own->next->first = grid; give(own->next->first);", "void *make(int n);"),
        ("first_of = grid; give(first_of);", "extern void *first_of;"),
        ("hook(grid); give(back());", "extern void (*hook)(void *p); void *back(void);"),
        ("enter(give); put(grid);", "void enter(void (*f)(void *)); void put(void *);"),
        ("enter(&own); put(grid);", "static void ours(void *p) { give(p); } static struct { void (*f)(void *); } own = {ours}; void enter(void *); void put(void *);"),
        ("void *(*move)(void *, const void *, size_t) = memcpy; move(freed, &grid, 8);", ""),
        ("void *(*find)(const void *, int, size_t) = (void *(*)(const void *, int, size_t))memchr; give(find(grid, 3, 8));", ""),
        // MPI.
        ("MPI_Aint at; MPI_Get_address(grid, &at); give((void *)MPI_Aint_add(at, 8));", ""),
        ("give((void *)MPI_Aint_add((MPI_Aint)grid, 0));", ""),
        ("known[1] = grid; MPI_Bcast(known, 4, MPI_AINT, 0, MPI_COMM_SELF); give(known[1]);", ""),
        ("MPI_Sendrecv(&grid, 8, MPI_BYTE, 0, 0, freed, 8, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);", ""),
        ("int at = 0; MPI_Pack(&grid, 8, MPI_BYTE, text, 64, &at, MPI_COMM_SELF); at = 0; MPI_Unpack(text, 64, &at, freed, 8, MPI_BYTE, MPI_COMM_SELF);", ""),
        ("MPI_Reduce_local(&grid, freed, 1, MPI_AINT, MPI_SUM);", ""),
        ("int key, flag; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, 0); MPI_Comm_set_attr(MPI_COMM_SELF, key, grid); void *q; MPI_Comm_get_attr(MPI_COMM_SELF, key, &q, &flag); give(q);", ""),
        (
            "int key; MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, gone, &key, 0); MPI_Comm_set_attr(MPI_COMM_SELF, key, grid); MPI_Comm_delete_attr(MPI_COMM_SELF, key);",
            "static int gone(MPI_Comm c, int key, void *value, void *extra) { give(value); return 0; }",
        ),
        (
            "MPI_Op op; MPI_Op_create(add, 1, &op); MPI_Reduce_local(&grid->tag, &in, 1, MPI_INT, op);",
            "static void add(void *a, void *b, int *n, MPI_Datatype *t) { give(a); }",
        ),
        ("void **own; MPI_Alloc_mem(64, MPI_INFO_NULL, &own); own[1] = grid; give(own[1]);", ""),
        ("int size_of; void *q; MPI_Buffer_attach(grid, 64); MPI_Buffer_detach(&q, &size_of); give(q);", ""),
        (
            "void **own; MPI_Win win; MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own, &win); own[0] = grid; MPI_Win_fence(0, win); MPI_Get(freed, 8, MPI_BYTE, 0, 0, 8, MPI_BYTE, win); MPI_Win_fence(0, win);",
            "",
        ),
        (
            "MPI_Datatype type; MPI_Aint at[1]; int n[1] = {1}; MPI_Datatype ints[1] = {MPI_INT}; MPI_Get_address(grid, at); MPI_Type_create_struct(1, n, at, ints, &type); int c[2]; MPI_Aint a[1]; MPI_Datatype d[1]; MPI_Type_get_contents(type, 2, 1, 1, c, a, d); give((void *)a[0]);",
            "",
        ),
    ];
    let stores = ["memset(take(), 0, 8);", "if (rand() % (rank + 2) > 1) { *(int *)take() = rank; }"];
    let mut missed = Vec::new();
    for (handed, functions) in ways {
        for stored in stores {
            let report = ring_after_pool(handed, functions, stored);
            if report.verdict.kind == VerdictKind::Exact {
                missed.push(format!("{handed} {functions} {stored}"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// What is stored through pointers of which nobody knows where they point to, on some ranks only, into memory that is allocated.
#[test]
fn stores_through_unknown_pointers_change_what_may_have_their_type() {
    let ring = |statements: &str, tag: &str| {
        let text = format!(
            r"
#include <mpi.h>
#include <stdlib.h>
#include <time.h>
union word {{ int i; char c[4]; double d; }};
struct node {{ MPI_Comm comm; int tag; signed char level; union word word; long wide; struct node *next; }};
void keep(void *p);
void *anywhere(void);
int main(int argc, char **argv)
{{
    int rank, size, in = 0, one = 1;
    struct node *node = malloc(sizeof *node);
    keep(node);
    node->comm = MPI_COMM_WORLD; node->tag = 3; node->level = 1; node->word.i = 2; node->wide = 4; node->next = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rand() % (rank + 2) > 1) {{ {statements} }}
    int all = {tag};
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + one) % size, all, &in, 1, MPI_INT, (rank + size - one) % size, all,
                 node->comm, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return in < 0;
}}
"
        );
        answer(&text, Limits::of_seconds(20)).verdict.kind
    };
    for (statements, tag) in [
        ("((union word *)anywhere())->c[1] = 1;", "node->word.i"),
        ("((struct node *)anywhere())->word.d = 1;", "node->word.i"),
        ("*(int *)anywhere() = 1;", "node->tag"),
        ("*(int *)anywhere() = 1; node->tag = 3;", "node->tag + node->word.i"),
        ("node->tag = 5; *(int *)anywhere() = time(0);", "node->tag"),
        ("*(int *)anywhere() = time(0); one = node->tag - 2;", "3"),
        ("int *p = anywhere(); for (int k = 0; k < 3; k++) { one = node->tag - 2; *p = k; }", "3"),
        ("((struct node *)anywhere())->level = 1;", "node->level"),
        ("*(long *)anywhere() = 1;", "(int)node->wide"),
        ("*(struct node *)anywhere() = *node;", "node->level"),
        ("*(MPI_Comm *)anywhere() = MPI_COMM_SELF;", "3"),
        ("((struct node *)anywhere())->next = node;", "node->next == node ? 1 : 2"),
    ] {
        assert_ne!(ring(statements, tag), VerdictKind::Exact, "{statements} {tag}");
    }
    for (statements, tag) in [
        ("*(int *)anywhere() = 1;", "(int)node->wide + node->level"),
        ("*(double *)anywhere() = 1;", "node->tag"),
        ("((struct node *)anywhere())->next = 0;", "node->tag + node->level"),
    ] {
        assert_eq!(ring(statements, tag), VerdictKind::Exact, "{statements} {tag}");
    }
}

/// A program that makes communicators by some statements and adds up a number in the last one, `part`.
fn adds_up_in_part(statements: &str) -> String {
    format!(
        r#"
#include <mpi.h>
int main(int argc, char **argv)
{{
    int rank, size, place, sum = 0, one = 1;
    MPI_Comm row, part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    {statements}
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, part);
    MPI_Finalize();
    return sum < 0;
}}
"#
    )
}

/// The same colours in different rows are different communicators, also where the number of processes is known.
#[test]
fn parts_of_different_rows_are_apart() {
    let text = adds_up_in_part(
        "if (size != 16) MPI_Abort(MPI_COMM_WORLD, 1);
         MPI_Comm_split(MPI_COMM_WORLD, rank / 8, rank, &row);
         MPI_Comm_rank(row, &place);
         MPI_Comm_split(row, place / 4, place, &part);",
    );
    let report = answer_at(&text, 16);
    assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.verdict);
    let instance = report.topology.instance.expect("an instance at 16");
    let mut added: Vec<Vec<u64>> = instance
        .collectives
        .into_iter()
        .filter(|c| c.operation == "MPI_Allreduce")
        .map(|c| c.ranks)
        .collect();
    added.sort();
    let expected: Vec<Vec<u64>> = (0..4).map(|part| (4 * part..4 * part + 4).collect()).collect();
    assert_eq!(added, expected);
}

/// A colour that two digits of the rank make together, so that several rows and columns have the same one, is no row.
#[test]
fn diagonals_are_no_rows() {
    // The factors of row and column.
    for (colour, rows, columns) in
        [("rank / 4 + rank % 4", 1, 1), ("rank / 4 - rank % 4", 1, -1), ("2 * (rank / 4) + rank % 4", 2, 1)]
    {
        let text = adds_up_in_part(&format!(
            "if (size % 4 != 0) MPI_Abort(MPI_COMM_WORLD, 1);
             MPI_Comm_split(MPI_COMM_WORLD, 100 + {colour}, rank, &part); row = part; (void)row; (void)place;"
        ));
        let report = answer_at(&text, 16);
        let Some(instance) = report.topology.instance else {
            assert_ne!(report.verdict.kind, VerdictKind::Exact, "{colour}: {:?}", report.verdict);
            continue;
        };
        let added = instance.collectives.iter().filter(|c| c.operation == "MPI_Allreduce");
        let mut added: Vec<Vec<u64>> = added.map(|c| c.ranks.clone()).collect();
        added.sort();
        let mut expected: BTreeMap<i64, Vec<u64>> = BTreeMap::new();
        for (rank, of) in (0..16_u64).zip(0..16_i64) {
            expected.entry(rows * (of / 4) + columns * (of % 4)).or_default().push(rank);
        }
        let mut expected: Vec<Vec<u64>> = expected.into_values().collect();
        expected.sort();
        assert_eq!(added, expected, "{colour}");
    }
}

/// Who the neighbours are is not taken from a later graph of the same call.
#[test]
fn neighbours_of_an_older_graph_are_not_those_of_a_newer_one() {
    let text = adds_up_in_part(
        "MPI_Comm graph; int all[2];
         part = MPI_COMM_WORLD; row = MPI_COMM_WORLD;
         for (int k = 1; k <= 2; k++) {
             int left = (rank + 2 * size - k) % size, right = (rank + k) % size;
             MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                            MPI_INFO_NULL, 0, &graph);
             if (k == 1) MPI_Comm_dup(graph, &row);
             MPI_Comm_free(&graph);
         }
         MPI_Neighbor_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, row); (void)place;",
    );
    let report = answer(&text, Limits::of_seconds(20));
    assert_ne!(report.verdict.kind, VerdictKind::Exact, "{:?}", report.topology.channels);
    let says = |r: &String| r.contains("with whom `MPI_Neighbor_allgather` exchanges data is not known");
    assert!(report.verdict.reasons.iter().any(says), "{:?}", report.verdict.reasons);
}

/// A message from 0 to 1 under a condition, and what is said of it.
fn message_where(condition: &str) -> ProgramReport {
    let text = format!(
        r#"
#include <mpi.h>
int main(int argc, char **argv)
{{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (np > 1 && {condition}) {{
        if (rank == 0)
            MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }}
    MPI_Finalize();
    return 0;
}}
"#
    );
    answer(&text, Limits::of_seconds(20))
}

/// For which numbers of processes messages are sent is told where it has a form, also where it is far from the first ones.
#[test]
fn numbers_of_processes_are_those_for_which_messages_are_sent() {
    for (condition, numbers) in [
        ("np % 211 == 99", "np >= 99 with np % 211 = 99"),
        ("np / 7 % 9 == 2", "np >= 14 with np % 63 = 14..20"),
        ("(np & (np - 1)) == 0", "np = 2, 4, 8, ..., 2^30"),
        ("np / 3 == 100", "np = 300..302"),
        ("(np & 3) != 1", "np >= 2 with np % 4 = 2..3 and np >= 4 with np % 4 = 0"),
        ("(np & 1024)", ""),
        ("(np & (np - 1)) != 0", ""),
        ("np * np % 101 == 5", ""),
    ] {
        let report = message_where(condition);
        assert_eq!(report.verdict.kind, VerdictKind::Exact, "{condition}: {:?}", report.verdict);
        let told =
            report.topology.channels.iter().map(|channel| channel.senders.as_str()).collect::<String>();
        let often = report.topology.channels.iter().all(|channel| channel.repeat == "1");
        // Where others send nothing is not told for 210 remainders.
        assert_eq!(often, !numbers.is_empty() && !numbers.contains("211"), "{condition}");
        if numbers.is_empty() {
            assert!(!told.is_empty() && !told.contains("np"), "{condition}: {told}");
        } else {
            assert!(told.contains(numbers), "{condition}: {told}");
        }
    }
}

/// All wait for their neighbours on both sides first. Explorations see the deadlock on other ranks than the general analysis, which takes
/// nothing away from the numbers of processes.
#[test]
fn a_deadlock_is_told_for_every_number_of_processes() {
    let text = r#"
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    int row = rank / 3, column = rank % 3;
    int left = column > 0 ? rank - 1 : MPI_PROC_NULL, above = row > 0 ? rank - 3 : MPI_PROC_NULL;
    int right = column < 2 && rank + 1 < np ? rank + 1 : MPI_PROC_NULL;
    int below = rank + 3 < np ? rank + 3 : MPI_PROC_NULL;
    MPI_Recv(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD);
    MPI_Send(&x, 1, MPI_INT, above, 0, MPI_COMM_WORLD);
    MPI_Recv(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
"#;
    let limits = Limits::of_seconds(20);
    let hangs = |report: &ProgramReport| -> Vec<String> {
        let of_hangs = report.findings.iter().filter(|finding| finding.rule == Rule::Deadlock);
        of_hangs.map(|finding| finding.np.clone()).collect()
    };
    let any = answer(text, limits);
    if any.verdict.kind == VerdictKind::Exact {
        let hangs = hangs(&any);
        assert!(hangs.iter().any(|np| np.contains("np >= ")), "{hangs:?}");
    }
    for np in [2, 3, 9, 14, 20, 40] {
        let report =
            answer_with(text, &Options { limits, np: NpChoice::Fixed(vec![np]), ..Options::default() });
        let is_exact = report.verdict.kind == VerdictKind::Exact;
        assert!(!is_exact || !hangs(&report).is_empty(), "np = {np}");
    }
}

/// What a walk that ended at its limit had seen of more processes is a part of the ranks.
#[test]
fn a_finding_has_the_ranks_of_whole_walks_only() {
    let forgotten = r#"
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, in, one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Request *all = malloc(size * sizeof *all);
    for (int to = 0; to < size; to++)
        if (to != rank)
            MPI_Isend(&one, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &all[to]);
    for (int from = 0; from < size; from++)
        if (from != rank)
            MPI_Recv(&in, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(all);
    MPI_Finalize();
    return 0;
}
"#;
    // Where the limit comes early, and where it comes earlier.
    for limits in [Limits::of_seconds(3), Limits::of_seconds(1)] {
        let report = answer(forgotten, limits);
        let told: Vec<_> = report.findings.iter().filter(|f| f.rule == Rule::RequestMissingWait).collect();
        assert!(!told.is_empty(), "{:?}", report.verdict);
        assert!(told.iter().all(|finding| finding.ranks == "[0..np-1]"), "{told:#?}");
    }
}

/// In which rounds all do something is not known, so nobody says how many messages there are.
#[test]
fn messages_of_rounds_that_are_not_known_are_not_listed() {
    let text = "#include <mpi.h>
        int main(int argc, char **argv) {
            int rank, np, all, mine = 0;
            MPI_Init(&argc, &argv);
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            MPI_Comm_size(MPI_COMM_WORLD, &np);
            for (int i = 0; i < 7; i++) {
                MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
                if (all & 4) {
                    if (rank > 0) MPI_Recv(&mine, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                    if (rank < np - 1) MPI_Send(&mine, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD);
                }
            }
            MPI_Finalize();
            return 0;
        }";
    let preprocessed =
        preprocess(&Request::new("a.c").with_text(text)).expect("there is nothing to stumble over");
    let unit = frontend::lower::lower(Path::new("a.c"), preprocessed, &frontend::lower::Options::default());
    let program = link(&[Arc::new(unit)]).remove(0);
    let budget = effort::Budget::begin(Limits::of_seconds(20));
    let decided = analyzer::communication::decided(&program, budget).expect("it is decided");
    let channels = decided.topology().expect("it is told").channels;
    assert_eq!(channels.iter().map(|channel| channel.repeat.as_str()).collect::<Vec<_>>(), ["unknown"]);
    assert_eq!(decided.instance(4), None);
}
