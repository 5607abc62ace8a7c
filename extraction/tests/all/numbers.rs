//! Numbers that a program computes out of others: what is said for any of them is compared with the messages that there have to be, and with
//! a run by the definitions.

use std::collections::BTreeMap;

use extraction::{Section, decide};
use model::check;
use presburger::Context;

use crate::powers::within;
use crate::program;

/// A sender, a receiver, and a tag.
type Message = (i64, i64, i64);
/// Numbers by the names that the program gives them.
type Given<'a> = BTreeMap<&'a str, i64>;

/// The program has these messages for so many processes, given the numbers that it calls by these names. `given` says nothing where the
/// program is not for so many.
fn has_messages(
    body: &str,
    given: &dyn Fn(i64) -> Vec<Vec<(&'static str, i64)>>,
    expected: &dyn Fn(i64, &Given<'_>) -> Vec<Message>,
) {
    let context = Context::with_budget(5_000_000).expect("there is room");
    let sections = decide(&program(body), &context, 10_000_000, 20_000_000)
        .unwrap_or_else(|error| panic!("{body}: {error}"));
    let mut exchanged = 0;
    for np in 1..=13 {
        for given in given(np) {
            let given: Given<'_> = given.into_iter().collect();
            let mut said = Vec::new();
            for Section { found, matching, .. } in &sections {
                let others: BTreeMap<String, i64> = found
                    .names
                    .iter()
                    .filter_map(|(parameter, name)| Some((parameter.clone(), *given.get(name.as_str())?)))
                    .collect();
                let values = found.values(np, &others);
                let known = found.program.known().fix_parameters(&values).expect("it is small");
                assert!(!known.is_empty().expect("it is small"), "{body}: {values:?} is not possible");
                let run = check::run(&found.program, &values, false).expect("it is small");
                assert!(run.ends && run.sends_left.is_empty() && !run.differs, "{body}: at {values:?}");
                let messages = found.messages(matching, &values, 10_000).expect("it is small");
                said.extend(messages.iter().filter_map(|one| Some((one.from, one.to, one.tag?))));
            }
            said.sort_unstable();
            let mut expected = expected(np, &given);
            expected.sort_unstable();
            assert_eq!(said, expected, "{body}: np = {np}, {given:?}");
            exchanged += said.len();
        }
    }
    assert!(exchanged > 0, "{body}");
}

fn wrong(body: &str) {
    assert!(within(body, 2_000_000).is_err(), "{body}");
}

/// Chains in rows of this width, from right to left.
fn rows(np: i64, width: i64) -> Vec<Message> {
    (0..np).filter(|rank| rank % width > 0).map(|rank| (rank, rank - 1, 1)).collect()
}

const ROWS: &str = "if (rank % x > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);\n\
    if (rank % x < x - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";

fn largest_divisor(np: i64, most: i64) -> i64 {
    (1..=most).filter(|width| np % width == 0).max().unwrap_or(1)
}

fn root(np: i64) -> i64 {
    (1..=np).take_while(|width| width * width <= np).last().unwrap_or(0)
}

#[test]
fn divisors_that_loops_find() {
    let up_to_root = |np: i64| vec![vec![("x", largest_divisor(np, root(np)))]];
    for found in [
        "int x = 1; for (int d = 1; d * d <= np; d++) if (np % d == 0) x = d;",
        "int x = 1; for (int d = 2; d * d <= np; d++) { if (np % d != 0) continue; x = d; }",
        "int x = 1, d = 1; while (d * d <= np) { if (!(np % d)) { x = d; } d++; }",
        "int x = (int)sqrt(np); while (x > 1 && np % x) --x;",
    ] {
        has_messages(&format!("{found} {ROWS}"), &up_to_root, &|np, given| rows(np, given["x"]));
    }
    // Up to a bound that is compared with ranks.
    let proper = |np: i64| vec![vec![("x", largest_divisor(np, (np - 1).max(1)))]];
    for found in [
        "int x = 1; for (int d = 1; d < np; d++) if (np % d == 0) x = d;",
        "int x = 1; for (int d = 1; d <= np / 2; d++) if (!(np % d)) x = d;",
        "int x = 1, d; for (d = 1; 2 * d <= np; d++) { if (np % d) continue; x = d; } a[0] = d;",
    ] {
        has_messages(&format!("{found} {ROWS}"), &proper, &|np, given| rows(np, given["x"]));
    }
    // Both sides of the grid are found together.
    let columns = "if (rank / x > 0) MPI_Send(a, 1, MPI_INT, rank - x, 2, MPI_COMM_WORLD);\n\
        if (rank / x < y - 1) MPI_Recv(b, 1, MPI_INT, rank + x, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    has_messages(
        &format!(
            "int x = 1, y = np; for (int d = 1; d * d <= np; d++) if (np % d == 0) {{ x = d; y = np / d; }} {columns}"
        ),
        &up_to_root,
        &|np, given| (given["x"]..np).map(|rank| (rank, rank - given["x"], 2)).collect(),
    );
    // It does not divide, or not all of them do.
    wrong(&format!("int x = 1; for (int d = 1; d * d <= np; d++) if (np % d == 1) x = d; {ROWS}"));
    wrong(&format!("int x = 1; for (int d = 1; d * d <= np; d++) if (np % d == 0) x = d + 1; {ROWS}"));
    wrong(&format!("int x = 2; for (int d = 3; d * d <= np; d++) if (np % d == 0) x = d; {ROWS}"));
    wrong(&format!("int x = np; while (x > 1 && np % x == 0) x--; {ROWS}"));
    // Other ways out, other writers, and a pointer.
    for found in [
        "int x = np; for (;;) { if (np % x == 0 && x < np) goto out; switch (argc - x) { case 0: goto out; default: break; } if (x == 1) goto out; x--; } out:",
        "int x = 1; for (int d = 1; d < np; d++) { if (np % d == 0) x = d; if (np % d == 1) x = d; }",
        "int x = 1; for (int d = 1; d < np; d++) { if (np % d == 0) x = d; if (x == 4) x = 3; }",
        "int x = 1, *p = &x; for (int d = 1; d < np; d++) { if (np % d == 0) x = d; if (d == 5) *p = 7; }",
        "struct { int at; } s = {1}, t = s; for (int d = 1; d < np; d++) { if (np % d == 0) s.at = d; if (d == 5) s = t; } t.at = 3; int x = s.at * (np > 5 ? 2 : 1);",
    ] {
        wrong(&format!("{found} {ROWS}"));
    }
    wrong(&format!(
        "int x = 1; for (int d = 1; d * d <= np; d++) if (np % d == 0) x = d; else x = 2; {ROWS}"
    ));
}

#[test]
fn roots() {
    let torus = "if (q * q != np) { MPI_Finalize(); return 1; } int i = rank / q, j = rank % q;\n\
        MPI_Sendrecv(a, 1, MPI_INT, i * q + (j + 1) % q, 1, b, 1, MPI_INT, i * q + (j + q - 1) % q, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
        MPI_Sendrecv(a, 1, MPI_INT, (i + 1) % q * q + j, 2, b, 1, MPI_INT, (i + q - 1) % q * q + j, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let of_torus = |np: i64, q: i64| -> Vec<Message> {
        (0..np)
            .flat_map(|rank| {
                let (i, j) = (rank / q, rank % q);
                [(rank, i * q + (j + 1) % q, 1), (rank, (i + 1) % q * q + j, 2)]
            })
            .collect()
    };
    let squares = |np: i64| {
        let q = root(np);
        if q * q == np { vec![vec![("q", q)]] } else { Vec::new() }
    };
    for found in [
        "int q = (int)sqrt((double)np);",
        "int q = sqrt(np);",
        "int q = (int)(sqrt((double)np) + 0.5);",
        "int q = (int)floor(sqrt((double)np));",
        "int q = (int)ceil(sqrt((double)np));",
        "int q = lround(sqrt(np));",
        "double s = sqrt((double)np); int q = (int)s;",
        "int q = 1; while (q * q < np) q++;",
    ] {
        has_messages(&format!("{found} {torus}"), &squares, &|np, given| of_torus(np, given["q"]));
    }
    // The others have no part in it.
    let largest = "if (rank < q * q) { if (rank % q > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);\n\
        if (rank % q < q - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    has_messages(
        &format!("int q = (int)sqrt((double)np); {largest}"),
        &|np| vec![vec![("q", root(np))]],
        &|_, given| rows(given["q"] * given["q"], given["q"]),
    );
    // One half is true.
    wrong(
        "int k = argc; if (k != 1) { MPI_Finalize(); return 1; } _Bool f = (double)k / 2;\n\
         if (f) MPI_Recv(b, 1, MPI_INT, (rank + 1) % np, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Barrier(MPI_COMM_WORLD);",
    );
    // More than there are.
    wrong(&format!("int q = (int)ceil(sqrt((double)np)); {largest}"));
    wrong(&format!("int q = (int)sqrt((double)np) + 1; {largest}"));
}

#[test]
fn blocks_and_products() {
    let chain = |np: i64| -> Vec<Message> { (1..np).map(|rank| (rank, rank - 1, 0)).collect() };
    let ends = "if (first > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
        if (last < N - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let divides =
        |all: i64| move |np: i64| if all % np == 0 { vec![vec![("n", all / np)]] } else { Vec::new() };
    let blocks = "if (N % np != 0) { MPI_Finalize(); return 1; } int n = N / np, first = rank * n, last = first + n - 1;";
    has_messages(&format!("const int N = 720; {blocks} {ends}"), &divides(720), &|np, _| chain(np));
    let other = "if (N % np != 0) { MPI_Finalize(); return 1; } int n = N / np, first = rank * n, last = (rank + 1) * n - 1;";
    has_messages(&format!("const int N = 12; {other} {ends}"), &divides(12), &|np, _| chain(np));
    has_messages(
        &format!("int N = atoi(argv[1]); if (N < np) {{ MPI_Finalize(); return 1; }} {blocks} {ends}"),
        &|np| vec![vec![("N", 3 * np), ("n", 3)]],
        &|np, _| chain(np),
    );
    wrong(&format!("const int N = 720; int n = N / np, first = rank * n, last = first + n - 1; {ends}"));
    // A box whose layers are found by one division.
    let layers = "if (x < 1 || y < 1 || np % (x * y)) { MPI_Finalize(); return 1; } int z = np / (x * y), k = rank / (x * y);\n\
        if (k > 0) MPI_Send(a, 1, MPI_INT, rank - x * y, 0, MPI_COMM_WORLD);\n\
        if (k < z - 1) MPI_Recv(b, 1, MPI_INT, rank + y * x, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    has_messages(
        &format!("int x = atoi(argv[1]), y = atoi(argv[2]); {layers}"),
        &|np| if np % 6 == 0 { vec![vec![("x", 2), ("y", 3), ("(x*y)", 6)]] } else { Vec::new() },
        &|np, _| (6..np).map(|rank| (rank, rank - 6, 0)).collect(),
    );
    // One of two numbers, as all know.
    for width in [
        "int x = argc > 1 ? atoi(argv[1]) : 2;",
        "int x = 2; if (argc > 1) x = atoi(argv[1]);",
        "int x; if (argc > 1) { x = atoi(argv[1]); } else { x = 2; }",
    ] {
        has_messages(
            &format!("{width} if (x < 1 || np % x) {{ MPI_Finalize(); return 1; }} {ROWS}"),
            &|np| (1..=np).filter(|x| np % x == 0).map(|x| vec![("x", x)]).collect(),
            &|np, given| rows(np, given["x"]),
        );
    }
}

#[test]
fn numbers_that_wrap_around() {
    let nothing = |_: i64| vec![Vec::new()];
    let ring = |np: i64| -> Vec<Message> { (0..np).map(|rank| (rank, (rank + 1) % np, 3)).collect() };
    let exchange =
        "MPI_Sendrecv(a, 1, MPI_INT, to, 3, b, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for numbers in [
        "unsigned me = rank, n = np; int to = (me + 1u) % n, from = (me - 1u + n) % n;",
        "unsigned me = rank, n = np; int to = (int)((me + 1) % n), from = (int)((n + me - 1) % n);",
        "int to = (rank + 1) % np, from = (unsigned)(rank - 1 + np) % (unsigned)np;",
    ] {
        has_messages(&format!("{numbers} {exchange}"), &nothing, &|np, _| ring(np));
    }
    // Without a sign, one less than nothing is much.
    has_messages(
        "if ((unsigned)(rank - 1) < (unsigned)np) MPI_Send(a, 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD);\n\
         if ((unsigned)(rank + 1) < (unsigned)np) MPI_Recv(b, 1, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        &nothing,
        &|np, _| (1..np).map(|rank| (rank, rank - 1, 3)).collect(),
    );
    has_messages(
        "if (rank > 0) MPI_Send(a, 1, MPI_INT, rank - 1, (unsigned char)(rank * 100), MPI_COMM_WORLD);\n\
         if (rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, ((rank + 1) * 100) & 255, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        &nothing,
        &|np, _| (1..np).map(|rank| (rank, rank - 1, rank * 100 % 256)).collect(),
    );
    wrong(
        "if (rank > 0) MPI_Send(a, 1, MPI_INT, rank - 1, (unsigned char)(rank * 100), MPI_COMM_WORLD);\n\
         if (rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, (rank + 1) * 100, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn last_writers() {
    let nothing = |_: i64| vec![Vec::new()];
    let chain = |np: i64| -> Vec<Message> { (1..np).map(|rank| (rank, rank - 1, 0)).collect() };
    let ends = "if (first != 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
        if (first + 3 != 3 * np) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for found in [
        "int first = 0, sum = 0; for (int i = 0; i < np; i++) { if (i == rank) first = sum; sum += 3; }",
        "int first = -1; for (int i = 0; i < np; i++) if (i <= rank) first = 3 * i;",
        "int first = 0; for (int i = 0; i < rank; i++) { first = 3 * i + 3; }",
        "int first = 7; for (int i = np - 1; i >= 0; i--) { if (i < rank) continue; first = 3 * i; }",
        "int first = 0; for (int k = 0; k < 3; k++) for (int i = 0; i < np; i++) if (i == rank) first = k == 2 ? 3 * i : -k;",
    ] {
        has_messages(&format!("{found} {ends}"), &nothing, &|np, _| chain(np));
    }
    wrong(&format!(
        "int first = 0, sum = 0; for (int i = 0; i < np; i++) {{ if (i == rank) first = sum; sum += 2; }} {ends}"
    ));
    wrong(&format!(
        "int first = 0; for (int i = 0; i < np; i++) {{ if (i == rank) first = 3 * i; if (a[i % 8]) first = 1; }} {ends}"
    ));
}

#[test]
fn rings_that_are_entered_at_another_place() {
    let moving = |root: &str, to: &str| {
        format!(
            "for (int k = 0; k < argc && np > 1; k++) {{ int root = {root};\n\
             if (rank != root) MPI_Recv(a, 1, MPI_INT, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
             if ((rank + 1) % np != {to}) MPI_Send(a, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD); }}"
        )
    };
    for root in ["k % np", "0", "np - 1"] {
        let body = moving(root, "root");
        assert!(within(&body, 10_000_000).is_ok(), "{body}");
    }
    // Nobody begins.
    wrong(&moving("k % np + np", "root"));
}
