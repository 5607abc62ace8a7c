//! What C means where an analysis easily gets it wrong: what was computed shows in which messages each rank sends to itself. The numbers
//! are those that the same programs print when gcc has compiled them.

use std::path::Path;
use std::sync::Arc;

use analyzer::results::{ProgramReport, VerdictKind};
use analyzer::rules::Rule;
use analyzer::{NpChoice, Options, analyze_program};
use frontend::preprocess::{Request, preprocess};
use frontend::program::link;

fn answer(text: &str, np: NpChoice, instance: Option<u64>) -> ProgramReport {
    let request = Request::new("program.c").with_text(text);
    let preprocessed = preprocess(&request).expect("the text has nothing to stumble over");
    let unit =
        frontend::lower::lower(Path::new("program.c"), preprocessed, &frontend::lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}\n{text}", unit.problems);
    let program = link(&[Arc::new(unit)]).remove(0);
    let options = Options { np, instance, limits: effort::Limits::of_seconds(10), ..Options::default() };
    analyze_program(&program, &options)
}

/// A program in which each rank sends itself a message with tag `k` for each bit `k` of `v`, of four.
fn bits_of(statements: &str, functions: &str) -> String {
    let mut text = format!(
        r#"
#include <mpi.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
{functions}
int main(int argc, char **argv)
{{
    int rank, np, v = 0, x = 0, y = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    {statements}
"#
    );
    for bit in 0..4 {
        text.push_str(&format!(
            "    if (v / {} % 2 == 1)\n        MPI_Sendrecv(&x, 1, MPI_INT, rank, {bit}, &y, 1, MPI_INT, rank, {bit}, \
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n",
            1 << bit
        ));
    }
    text.push_str("    MPI_Finalize();\n    return 0;\n}\n");
    text
}

/// What `v` is on each of three ranks.
fn values(statements: &str, functions: &str) -> [i64; 3] {
    let text = bits_of(statements, functions);
    let report = answer(&text, NpChoice::Fixed(vec![3]), Some(3));
    let instance = report.topology.instance.unwrap_or_else(|| panic!("{:?}\n{text}", report.verdict));
    let mut values = [0; 3];
    for message in instance.messages {
        assert_eq!(message.from, message.to, "{text}");
        let rank = usize::try_from(message.from).expect("a small number");
        values[rank] += 1 << message.tag.unwrap_or_else(|| panic!("no tag\n{text}"));
    }
    values
}

#[test]
fn numbers_wrap_in_their_types() {
    let programs: &[(&str, &str, [i64; 3])] = &[
        ("enum e s = rank - 1; v = s > B ? 3 : 4;", "enum e { A, B };", [3, 4, 4]),
        ("v = (enum e)(rank - 2) > 9 ? 6 : 2;", "enum e { A, B };", [6, 6, 2]),
        ("enum e s = rank - 2; v = s < A ? 3 : 4;", "enum e { A = -1, B };", [3, 4, 4]),
        ("v = f(rank - 1);", "enum e { A, B }; static int f(enum e s) { return s < B ? 2 : 9; }", [9, 2, 9]),
        ("v = f(rank) > 9 ? 2 : 3;", "enum e { A, B }; static enum e f(int r) { return r - 1; }", [2, 3, 3]),
        (
            "struct s t = {rank - 1, 1}; v = t.a <= B ? 1 : 8;",
            "enum e { A, B }; struct s { enum e a; int b; };",
            [8, 1, 1],
        ),
        (
            "enum e s = 127 + rank; v = s < 0 ? 7 : 2;",
            "enum __attribute__((packed)) e { A = -3, B };",
            [2, 7, 7],
        ),
        ("long i = -1; unsigned long u = i; v = u > 4294967295u ? 3 : 4;", "", [3, 3, 3]),
        ("int d = rank - 1; v = d < sizeof d ? 5 : 9;", "", [9, 5, 5]),
        ("size_t n = rank; n = n - 1; v = n > 1000 ? 11 : (int)n + 1;", "", [11, 1, 2]),
        ("size_t r = rank, n = np; v = 1 + (int)((r - 1 + n) % n);", "", [3, 1, 2]),
        ("unsigned r = rank; v = r - 1 < 5u ? 4 : 12;", "", [12, 4, 4]),
        ("_Bool b = 0.5 * rank; v = b + 3;", "", [3, 4, 4]),
        ("v = -8 << rank; v = v == -16 ? 5 : 6;", "", [6, 5, 6]),
    ];
    for (statements, functions, expected) in programs {
        assert_eq!(values(statements, functions), *expected, "{functions} {statements}");
    }
}

#[test]
fn functions_run_by_themselves() {
    let programs: &[(&str, &str, [i64; 3])] = &[
        (
            "v = n + rank;",
            "static int n = 2; __attribute__((constructor)) static void f(void) { n = n * 3; }",
            [6, 7, 8],
        ),
        (
            "f(); v = n + rank;",
            "static int n = 1; __attribute__((constructor)) static void f(void) { n = n * 3; }",
            [9, 10, 11],
        ),
        (
            "v = n + rank;",
            "static int n = 2; static void f(void) __attribute__((constructor(201)));
             __attribute__((__constructor__(150))) static void g(void) { n += 1; }
             static void f(void) { n = n * 3; }",
            [9, 10, 11],
        ),
        (
            "{ __attribute__((cleanup(f))) int a = rank + 2; v = 3; } v += n;",
            "static int n; static void f(int *p) { n += *p; }",
            [5, 6, 7],
        ),
        (
            "v = g(rank) + n;",
            "static int n; static void f(int *p) { n += *p; *p = 100; }
             static int g(int r) { __attribute__((cleanup(f))) int a = 1; if (r == 1) return a + 5; { int b \
             __attribute__((cleanup(f))) = 4; if (r == 2) goto out; } n++; out: return 2; }",
            [8, 7, 7],
        ),
    ];
    for (statements, functions, expected) in programs {
        assert_eq!(values(statements, functions), *expected, "{functions} {statements}");
    }
}

/// What ends a process, keeps it for ever or lets it come back is never passed by.
#[test]
fn nothing_is_claimed_past_what_ends_a_process() {
    let programs = [
        ("for (;;) ;", ""),
        ("if (rank == 1) while (1) x++;", ""),
        ("if (rank == 0) while (go) x += 2;", "static int go = 1;"),
        ("int go = 1; do x++; while (go);", ""),
        ("while (rank == 0 || x < 3) x++;", ""),
        ("for (unsigned i = 3; i >= 0; i--) x += i;", ""),
        ("int zero = 0; x = 3 / zero;", ""),
        ("x = 7 % rank;", ""),
        ("*nowhere = 3;", "static int *nowhere;"),
        ("int *p = NULL; if (rank == 2) x = p[2];", ""),
        ("struct s *p = 0; x = p->b;", "struct s { int a, b; };"),
        ("struct s a, *p = 0; a = *p; x = a.b;", "struct s { int a, b; };"),
        ("if (setjmp(place) < 2) longjmp(place, ++x);", "static jmp_buf place;"),
        (
            "switch (sigsetjmp(place, 1)) { case 0: f(); }",
            "static sigjmp_buf place; static void f(void) { siglongjmp(place, 2); }",
        ),
    ];
    for (statements, functions) in programs {
        let text = bits_of(&format!("v = 3; {statements}"), functions);
        let report = answer(&text, NpChoice::Any, None);
        assert_ne!(report.verdict.kind, VerdictKind::Exact, "{text}");
        assert!(!report.verdict.reasons.is_empty(), "{text}");
    }
}

/// The same code where nothing of that happens.
#[test]
fn what_might_end_a_process_and_does_not_is_followed() {
    let programs = [
        ("int *p = rank ? &x : NULL; if (p && *p == 0) x = 2; x = p ? *p : 4;", ""),
        ("if (rank) x = 7 % rank;", ""),
        ("int zero = 0; x = zero ? 3 / zero : 4;", ""),
        ("int go = 1; while (go) { x++; if (x > 300) go = 0; }", ""),
        ("for (unsigned i = 3; i < 4; i--) x += i;", ""),
        ("if (setjmp(place) != 0) x = 1;", "static jmp_buf place;"),
        ("size_t n = offsetof(struct s, b); x = n > 2;", "struct s { int a, b; };"),
    ];
    for (statements, functions) in programs {
        let text = bits_of(&format!("v = 3; {statements}"), functions);
        let report = answer(&text, NpChoice::Any, None);
        assert_eq!(report.verdict.kind, VerdictKind::Exact, "{:?}\n{text}", report.verdict);
        assert!(report.findings.is_empty(), "{:?}\n{text}", report.findings);
    }
}

/// A number of processes for which a divisor is zero is none that anything is claimed of.
#[test]
fn divisors_are_zero_for_some_numbers_of_processes() {
    let text = bits_of("v = 3; x = 12 / (np - 1);", "");
    let report = answer(&text, NpChoice::Any, None);
    assert!(
        report.verdict.kind != VerdictKind::Exact || report.verdict.np.contains(">= 2"),
        "{:?}",
        report.verdict
    );
}

/// What a function without source is given a handle of, it may free.
#[test]
fn handles_given_away_are_no_leaks() {
    let leaks = |made: &str, given: &str| {
        let text = format!(
            r#"
#include <mpi.h>
#include <stdio.h>
struct pair {{ MPI_Comm one; int two; }};
void take(void *), keep(MPI_Comm);
int main(int argc, char **argv)
{{
    MPI_Comm comm;
    MPI_Datatype type;
    struct pair pair;
    MPI_Init(&argc, &argv);
    {made}
    {given}
    MPI_Finalize();
    return 0;
}}
"#
        );
        let rules = [Rule::CommunicatorLeak, Rule::DatatypeLeak];
        answer(&text, NpChoice::Any, None).findings.iter().any(|found| rules.contains(&found.rule))
    };
    let comm = "MPI_Comm_dup(MPI_COMM_WORLD, &comm);";
    let ty = "MPI_Type_contiguous(3, MPI_INT, &type);";
    let inner = "MPI_Comm_dup(MPI_COMM_WORLD, &pair.one); pair.two = 2;";
    for (made, given) in
        [(comm, "take(&comm);"), (comm, "keep(comm);"), (ty, "take(&type);"), (inner, "take(&pair);")]
    {
        assert!(!leaks(made, given), "{given}");
    }
    for (made, given) in [
        (comm, ""),
        (comm, "printf(\"%p\", (void *)&comm);"),
        (ty, "take(&comm);"),
        (inner, "keep(MPI_COMM_WORLD);"),
    ] {
        assert!(leaks(made, given), "{made} {given}");
    }
}
