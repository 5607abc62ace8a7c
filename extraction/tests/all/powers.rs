//! Loops that multiply a number, and programs that are decided one section after the other.

use std::collections::BTreeMap;

use extraction::{Section, decide};
use model::check;
use presburger::Context;

use crate::program;

fn sections(body: &str) -> Result<Vec<Section>, String> {
    within(body, 10_000_000)
}

/// The sections, if they take no more operations of integer sets than these.
pub(crate) fn within(body: &str, budget: u64) -> Result<Vec<Section>, String> {
    let context = Context::with_budget(budget).expect("there is room");
    decide(&program(body), &context, budget, 2 * budget).map_err(|error| error.to_string())
}

/// It is decided, and so it is by the definition, in each round by itself.
fn decided(body: &str) {
    let sections = sections(body).unwrap_or_else(|error| panic!("{body}: {error}"));
    for Section { found, .. } in &sections {
        for np in 1..=9 {
            for number in [1, 2, 4, 8] {
                let mut others: std::collections::BTreeMap<String, i64> = found
                    .program
                    .known()
                    .parameters()
                    .expect("it is small")
                    .into_iter()
                    .map(|name| (name, number))
                    .collect();
                for of in &found.multiplied {
                    // The last one is the largest that is not above the number of processes.
                    let last = (0..4).map(|at| 1 << at).filter(|&last| last <= np).max().unwrap_or(1);
                    others.insert(of.parameter.clone(), if of.rounds.is_some() { number } else { last });
                }
                let values = found.values(np, &others);
                let is_possible = !found
                    .program
                    .known()
                    .fix_parameters(&values)
                    .and_then(|known| known.is_empty())
                    .expect("it is small");
                if is_possible {
                    let run = check::run(&found.program, &values, false).expect("it is small");
                    assert!(run.ends && run.sends_left.is_empty() && !run.differs, "{body}: at {values:?}");
                }
            }
        }
    }
}

fn not_decided(body: &str) {
    let sections = sections(body);
    assert!(sections.is_err(), "{body}");
}

fn exchange(to: &str, from: &str) -> String {
    format!(
        "MPI_Sendrecv(a, 1, MPI_INT, {to}, 0, b, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    )
}

#[test]
fn distances_double() {
    let ring = exchange("(rank + d) % np", "(rank - d + np) % np");
    for doubled in [
        "for (int d = 1; d < np; d *= 2)",
        "for (int d = 1; d < np; d <<= 1)",
        "for (int d = 1; d <= np / 2; d = d + d)",
    ] {
        decided(&format!("{doubled} {{ {ring} }}"));
        decided(&format!("for (int k = 0; k < 3; k++) {doubled} {{ {ring} MPI_Barrier(MPI_COMM_WORLD); }}"));
    }
    decided(
        "for (int d = 1; d < np; d *= 2) { if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD);\n\
         if (rank >= d) MPI_Recv(b, 1, MPI_INT, rank - d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }",
    );
    decided(
        "int d = 1; while (d < np) { if (rank < d) { if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD); }\n\
         else if (rank < 2 * d) MPI_Recv(b, 1, MPI_INT, rank - d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); d <<= 1; }",
    );
    // One that begins with 3, one that goes on by thirds.
    decided(&format!("for (int d = 3; d < np; d *= 2) {{ {ring} }}"));
    decided(&format!("for (int d = 1; d < np; d *= 3) {{ {ring} }}"));
    // Sends of one round are received in the next one, or not at all.
    not_decided(
        "for (int d = 1; d < np; d *= 2) { if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD);\n\
         if (d > 1 && rank >= d / 2) MPI_Recv(b, 1, MPI_INT, rank - d / 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }",
    );
    not_decided(
        "for (int d = 1; d < np; d *= 2) { if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, 0, MPI_COMM_WORLD);\n\
         if (rank >= d && d < 4) MPI_Recv(b, 1, MPI_INT, rank - d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }",
    );
    // Some leave the loop before others.
    not_decided(
        "for (int d = 1; d < np; d *= 2) { if (rank == 0 && d == 4) break; MPI_Barrier(MPI_COMM_WORLD); }",
    );
    not_decided("for (int d = 1; d < np; d *= 2) { if (d > rank) break; MPI_Barrier(MPI_COMM_WORLD); }");
    // The number after the loop, and what is counted in it.
    decided(
        "int p = 1, k = 0; while (2 * p <= np) { p *= 2; k++; }\n\
         if (rank < p && rank > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
         if (rank < p - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    not_decided(
        "int p = 1; while (2 * p <= np) p *= 2;\n\
         if (rank < p && rank > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
         if (rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn bits_of_ranks() {
    let cube = "int p = 1; while (2 * p <= np) p *= 2; if (rank < p)";
    let other = "int o = rank ^ d; MPI_Send(a, 1, MPI_INT, o, 0, MPI_COMM_WORLD);\n\
        MPI_Recv(b, 1, MPI_INT, o, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    decided(&format!("{cube} for (int d = 1; d < p; d <<= 1) {{ {other} }}"));
    // The other one may be no rank, or it is in no cube.
    not_decided(&format!("for (int d = 1; d < np; d <<= 1) {{ {other} }}"));
    decided(&format!("for (int d = 1; d < np; d <<= 1) if ((rank ^ d) < np) {{ {other} }}"));
    not_decided(&format!("{cube} for (int d = 1; d <= p; d <<= 1) {{ {other} }}"));
    not_decided(&format!("{cube} for (int d = 1; d < p; d *= 3) {{ {other} }}"));
    for bit in [1, 2, 4] {
        decided(&format!("int d = {bit}; if ((rank ^ d) < np) {{ {other} }}"));
        decided(&format!(
            "int d = {bit}; if (rank & d) MPI_Send(a, 1, MPI_INT, rank ^ d, 0, MPI_COMM_WORLD);\n\
             else if ((rank | d) < np) MPI_Recv(b, 1, MPI_INT, rank | d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        ));
    }
    // A tree: who has sent leaves.
    let tree = |last: &str| {
        format!(
            "int m = 1; while (m < np) {{ if (rank % (2 * m) == 0) {{ if (rank + m < np)\n\
             MPI_Recv(b, 1, MPI_INT, rank + m, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }}\n\
             else {{ MPI_Send(a, 1, MPI_INT, rank - m, 0, MPI_COMM_WORLD); {last} }} m <<= 1; }}"
        )
    };
    decided(&tree("break;"));
    not_decided(&tree(""));
}

#[test]
fn rounds_do_not_wait_for_each_other() {
    // In each round by itself nobody waits for ever, but the last process is told only after the loop of the first one.
    not_decided(
        "if (rank == 2) MPI_Recv(b, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (np > 2 && rank < 3) for (int d = 1; d < np; d *= 2) { if (rank == 1) { MPI_Send(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);\n\
         MPI_Recv(b, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n\
         if (rank == 0) MPI_Recv(b, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank == 2) MPI_Send(a, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); }\n\
         if (rank == 0 && np > 2) MPI_Send(a, 1, MPI_INT, 2, 9, MPI_COMM_WORLD);",
    );
    // What comes from anybody may come from a later round.
    not_decided(
        "for (int d = 1; d < np; d *= 2) { if (rank == 0) MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank == d) MPI_Send(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }",
    );
}

#[test]
fn sections_have_all_that_belongs_together() {
    let ring = exchange("(rank + d) % np", "(rank - d + np) % np");
    let double = format!("for (int d = 1; d < np; d *= 2) {{ {ring} }}");
    // A receive that is started before and waited for after.
    decided(&format!(
        "MPI_Request r; MPI_Irecv(b + 1, 1, MPI_INT, (rank + 1) % np, 7, MPI_COMM_WORLD, &r); {double}\n\
         MPI_Send(a, 1, MPI_INT, (rank + np - 1) % np, 7, MPI_COMM_WORLD); MPI_Wait(&r, MPI_STATUS_IGNORE);"
    ));
    // One that nobody sends, made before and started after.
    not_decided(&format!(
        "MPI_Request r; MPI_Recv_init(b + 1, 1, MPI_INT, (rank + 1) % np, 7, MPI_COMM_WORLD, &r); {double}\n\
         MPI_Start(&r); MPI_Wait(&r, MPI_STATUS_IGNORE);"
    ));
    // A receive from anybody, which a later message may reach first.
    not_decided(&format!(
        "if (rank == 0 && np > 2) MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank == 1 && np > 2) MPI_Send(a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); {double}"
    ));
}

#[test]
fn messages_grow() {
    let ping = "if (rank == 0 && np > 1) { MPI_Send(a, n, MPI_INT, 1, 0, MPI_COMM_WORLD); MPI_Recv(b, n, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n\
        if (rank == 1) { MPI_Recv(b, n, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); MPI_Send(a, n, MPI_INT, 0, 0, MPI_COMM_WORLD); }";
    decided(&format!("for (int n = 1; n <= 1024; n *= 2) {{ {ping} }}"));
    decided(&format!("for (int i = 0, n = 1; i < 10; i++, n *= 2) {{ {ping} }}"));
    decided(&format!("int most = atoi(argv[1]); for (int n = 1; n <= most; n *= 2) {{ {ping} }}"));
    decided(&format!(
        "for (int i = 0, n = 1; i < argc; i++, n *= 2) for (int k = 0; k < 4; k++) {{ {ping} }}"
    ));
}

/// Messages by sender, receiver and tag, for so many processes, of a program whose parameters follow from this number.
fn messages(sections: &[Section], np: i64) -> Vec<(i64, i64, Option<i64>)> {
    let mut all = Vec::new();
    for Section { found, matching, .. } in sections {
        let mut base: BTreeMap<String, i64> = BTreeMap::new();
        for of in &found.multiplied {
            let last = (0..5).map(|at| of.first << at).filter(|&last| last <= np).max();
            let value = if of.rounds.is_some() { of.first } else { last.unwrap_or(of.first) };
            base.insert(of.parameter.clone(), value);
        }
        // What is in no such loop, then each round of each loop.
        let mut choices = vec![(None, base.clone())];
        for of in &found.multiplied {
            let Some((part, round)) = &of.rounds else { continue };
            for (number, value) in (0..).zip((0..5).map(|at| of.first << at)) {
                let mut others = base.clone();
                others.extend([(of.parameter.clone(), value), (round.clone(), number)]);
                choices.push((Some(*part), others));
            }
        }
        for (part, others) in choices {
            let values = found.values(np, &others);
            for message in found.messages(matching, &values, 10_000).expect("it is small") {
                let options = &found.program.operations()[message.number].options;
                if options.first().map(|option| option.part) == part {
                    all.push((message.from, message.to, message.tag));
                }
            }
        }
    }
    all.sort_unstable();
    all
}

/// A loop `for (d = first; CONDITION; d *= 2) ROUND` has the messages of its rounds one after the other, written with the numbers.
fn same_as_its_rounds(first: i64, condition: &str, round: &str, after: &str) {
    let of_loop = format!("for (int d = {first}; {condition}; d *= 2) {{ {round} }} {after}");
    // Enough of them for the processes that are looked at.
    let rounds: String = (0..5)
        .map(|at| format!("{{ const int d = {}; if (!({condition})) break; {{ {round} }} }}\n", first << at))
        .collect();
    same_messages(&of_loop, &format!("do {{ {rounds} }} while (0); {after}"));
}

#[test]
fn a_loop_says_what_its_rounds_say() {
    let tagged = |to: &str, from: &str| {
        format!(
            "MPI_Sendrecv(a, 1, MPI_INT, {to}, d, b, 1, MPI_INT, {from}, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        )
    };
    same_as_its_rounds(1, "d < np", &tagged("(rank + d) % np", "(rank - d + np) % np"), "");
    same_as_its_rounds(3, "d < np", &tagged("(rank + d) % np", "(rank - d + np) % np"), "");
    let shift = "if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, d, MPI_COMM_WORLD);\n\
        if (rank >= d) MPI_Recv(b, 1, MPI_INT, rank - d, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    same_as_its_rounds(1, "2 * d <= np", shift, "");
    // Who has sent leaves.
    let tree = "if (rank % (2 * d) == 0) { if (rank + d < np)\n\
        MPI_Recv(b, 1, MPI_INT, rank + d, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n\
        else { MPI_Send(a, 1, MPI_INT, rank - d, d, MPI_COMM_WORLD); break; }";
    same_as_its_rounds(1, "d < np", tree, "");
    same_as_its_rounds(
        1,
        "d < np && (rank & d) == 0",
        "if (rank + d < np && 0) break; MPI_Sendrecv(a, 1, MPI_INT, rank, d, b, 1, MPI_INT, rank, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "",
    );
    let paired = "if ((rank ^ d) < np) { MPI_Send(a, 1, MPI_INT, rank ^ d, d, MPI_COMM_WORLD);\n\
        MPI_Recv(b, 1, MPI_INT, rank ^ d, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    same_as_its_rounds(1, "d < np", paired, shift_by_one());
}

fn shift_by_one() -> &'static str {
    "if (rank > 0) MPI_Recv(b, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
     if (rank < np - 1) MPI_Send(a, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);"
}

#[test]
fn trees_and_cubes_in_other_surroundings() {
    let cube = "int p = 1; while (2 * p <= n) p *= 2; if (r < p) for (int d = 1; d < p; d <<= 1) { int o = r ^ d;\n\
        MPI_Send(a, 1, MPI_INT, o, 0, c); MPI_Recv(b, 1, MPI_INT, o, 0, c, MPI_STATUS_IGNORE); }";
    let tree = "int m = 1; while (m < n) { if (r % (2 * m) == 0) { if (r + m < n) MPI_Recv(b, 1, MPI_INT, r + m, 0, c, MPI_STATUS_IGNORE); }\n\
        else { MPI_Send(a, 1, MPI_INT, r - m, 0, c); break; } m <<= 1; }";
    let shift = "for (int d = 1; d < n; d *= 2) { if (r + d < n) MPI_Send(a, 1, MPI_INT, r + d, 0, c);\n\
        if (r >= d) MPI_Recv(b, 1, MPI_INT, r - d, 0, c, MPI_STATUS_IGNORE); }";
    let on = |colour: &str, key: &str, body: &str| {
        let body = format!(
            "MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, {colour}, {key}, &c); int r, n; MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n); {body}"
        );
        assert!(sections(&body).is_ok(), "{body}");
    };
    on("0", "-rank", cube);
    on("0", "-rank", tree);
    on("0", "rank", &format!("for (int k = 0; k < argc; k++) {{ {tree} }}"));
    on("0", "rank", &format!("{{ {shift} }} {{ {cube} }}"));
    on("rank % 2", "rank", shift);
    on("rank < 7", "rank", shift);
}

/// Two programs with the same messages.
pub(crate) fn same_messages(one: &str, other: &str) {
    let [first, second] =
        [one, other].map(|body| sections(body).unwrap_or_else(|error| panic!("{body}: {error}")));
    let mut exchanged = 0;
    for np in 1..=12 {
        let said = messages(&first, np);
        assert_eq!(said, messages(&second, np), "{one}: np = {np}");
        exchanged += said.len();
    }
    assert!(exchanged > 0, "{one}");
}

#[test]
fn loops_that_shift_and_halve_say_what_their_rounds_say() {
    let largest = "int p = 1, bits = 0; while (2 * p <= np) { p *= 2; bits++; }";
    let cube = "if (rank < p) { int o = rank ^ d; MPI_Sendrecv(a, 1, MPI_INT, o, d, b, 1, MPI_INT, o, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    let ring = "MPI_Sendrecv(a, 1, MPI_INT, (rank + d) % np, d, b, 1, MPI_INT, (rank - d + np) % np, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let tree = "if (rank % (2 * d) == 0) { if (rank + d < np) MPI_Send(a, 1, MPI_INT, rank + d, d, MPI_COMM_WORLD); }\n\
        else if (rank % (2 * d) == d) MPI_Recv(b, 1, MPI_INT, rank - d, d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    // What loops that multiply say is compared with their rounds above.
    let doubled = |condition: &str, round: &str| {
        format!("{largest} for (int d = 1; {condition}; d *= 2) {{ {round} }}")
    };
    for count in [
        "for (int k = 0; k < bits; k++) { int d = 1 << k;",
        "for (int k = 0, d; k < bits; k++) { d = 1 << k;",
        "for (int k = 0; (1 << k) < p; k++) { int d = 1 << k;",
        "for (int k = 0; (1 << k) <= p / 2; k++) { int d = 1 << k;",
        "for (int k = 1; k <= bits; k++) { int d = 1 << (k - 1);",
    ] {
        same_messages(&format!("{largest} {count} {cube} }}"), &doubled("d < p", cube));
        same_messages(&format!("{largest} {count} {ring} }}"), &doubled("d < p", ring));
    }
    for halves in [
        "for (int d = p / 2; d > 0; d /= 2)",
        "for (int d = p >> 1; d >= 1; d >>= 1)",
        "int d = p; d >>= 1; for (; d; d >>= 1)",
    ] {
        same_messages(&format!("{largest} {halves} {{ {cube} }}"), &doubled("d < p", cube));
        same_messages(&format!("{largest} {halves} {{ {ring} }}"), &doubled("d < p", ring));
    }
    same_messages(
        &format!("{largest} for (int d = p; d > 0; d /= 2) {{ {tree} }}"),
        &doubled("d <= p", tree),
    );
    let wrong = |body: &str| assert!(within(body, 1_500_000).is_err(), "{body}");
    // Not each of them is a power of two, and not each is a rank.
    wrong(&format!("int p = np; for (int d = p / 2; d > 0; d /= 2) {{ {cube} }}"));
    wrong(&format!("{largest} for (int d = p; d > 0; d /= 2) {{ {cube} }}"));
    wrong(&format!("{largest} for (int k = 0; k <= bits; k++) {{ int d = 1 << k; {cube} }}"));
    // Another number of rounds for some.
    wrong(&format!("{largest} for (int k = 0; k < bits + (rank == 1); k++) {{ int d = 1 << k; {cube} }}"));
    wrong(&format!("{largest} for (int d = p / 2; d > rank; d /= 2) {{ {ring} }}"));
}

#[test]
fn numbers_that_are_halved_without_a_remainder() {
    let cube = "for (int j = 0; j < bits; j++) { int o = rank ^ (1 << j);\n\
        MPI_Sendrecv(a, 1, MPI_INT, o, 0, b, 1, MPI_INT, o, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    for halved in [
        "for (int q = np; q > 1; q /= 2) { if (q % 2) { MPI_Finalize(); return 1; } bits++; }",
        "int q = np; while (q > 1) { if (q % 2 != 0) { MPI_Finalize(); return 1; } q /= 2; bits++; }",
    ] {
        let body = format!("int bits = 0; {halved} {cube}");
        let sections = within(&body, 5_000_000).unwrap_or_else(|error| panic!("{body}: {error}"));
        // With other numbers of processes, nobody communicates.
        for Section { found, .. } in &sections {
            for np in 1..=9_i64 {
                for round in 0..4 {
                    let power = 1 << round;
                    let known = found.program.known();
                    let names = known.parameters().expect("it is small").into_iter();
                    let mut others: BTreeMap<String, i64> = names.map(|name| (name, 0)).collect();
                    for of in &found.multiplied {
                        others.insert(of.parameter.clone(), if of.rounds.is_some() { power } else { np });
                    }
                    let values = found.values(np, &others);
                    let run = check::run(&found.program, &values, false).expect("it is small");
                    assert!(run.ends && run.sends_left.is_empty() && !run.differs, "{body}: at {values:?}");
                }
            }
        }
    }
    // One more bit than there is, and a remainder that nobody minds.
    let wrong = |body: &str| assert!(within(body, 1_500_000).is_err(), "{body}");
    wrong(&format!(
        "int bits = 1; for (int q = np; q > 1; q /= 2) {{ if (q % 2) {{ MPI_Finalize(); return 1; }} bits++; }} {cube}"
    ));
    wrong(&format!("int bits = 0; for (int q = np; q > 1; q /= 2) bits++; {cube}"));
}
