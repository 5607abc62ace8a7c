//! What is read from small programs in C, and what the model says of it; each answer is compared with runs of the definition.

mod grids;
mod groups;
mod lengths;
mod numbers;
mod partitioned;
mod parts;
mod powers;
mod surroundings;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use extraction::{GivenUp, extract};
use frontend::lower::{self, lower};
use frontend::preprocess::{Request, preprocess};
use frontend::program::{Program, link};
use model::{Clock, check};
use presburger::Context;

/// A program that does this between initialising MPI and finalising it.
///
/// What stands before a line `---` stands before `main`.
fn program(body: &str) -> Program {
    let (before, body) = body.split_once("\n---\n").unwrap_or(("", body));
    let text = format!(
        "#include <mpi.h>\n#include <stdlib.h>\n{before}\nint main(int argc, char **argv)\n{{\nint rank, np, a[8], b[8];\nMPI_Init(&argc, &argv);\n\
         MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &np);\n{body}\nMPI_Finalize();\nreturn 0;\n}}\n"
    );
    let preprocessed =
        preprocess(&Request::new("a.c").with_text(text)).expect("there is nothing to stumble over");
    let unit = lower(Path::new("a.c"), preprocessed, &lower::Options::default());
    assert!(unit.problems.is_empty(), "{:?}", unit.problems);
    link(&[Arc::new(unit)]).remove(0)
}

/// The number of messages as a formula and the clock, or why there is none.
fn said(body: &str) -> Result<(String, Option<Clock>), String> {
    said_up_to(body, 5)
}

/// The same, compared with runs of up to so many processes.
fn said_up_to(body: &str, most: i64) -> Result<(String, Option<Clock>), String> {
    let context = Context::with_budget(3_000_000).expect("there is room");
    let found = extract(&program(body), &context).map_err(|error| match error {
        GivenUp::Program { reason, .. } => reason,
        other => other.to_string(),
    })?;
    let of_program = &found.program;
    let matching = of_program.matching().map_err(|error| error.to_string())?;
    let together = of_program.collectives().expect("it is small").ok_or("collective operations differ")?;
    if let Some(witness) = matching.witness(&["np"]).expect("it is small") {
        return Err(format!("left over: {witness}"));
    }
    let clock = of_program.clock(&matching, &together, false).expect("it is small");
    let parameters = of_program.known().parameters().expect("it is small");
    for np in 1..=most {
        let values: BTreeMap<String, i64> =
            parameters.iter().map(|name| (name.clone(), if name == "np" { np } else { 3 })).collect();
        let run = check::run(of_program, &values, false).expect("it is small");
        assert!(clock.is_none() || run.ends, "{body}: it hangs at {values:?}");
        assert!(run.sends_left.is_empty() && !run.differs, "{body}: at {values:?}");
    }
    let volume = matching.volume(of_program).expect("it is small");
    Ok((volume.map_or_else(|| "?".to_owned(), |volume| volume.to_string()), clock))
}

/// The numbers of messages that there are with three processes, whatever the parameters are, of those that are possible.
fn numbers(body: &str) -> BTreeSet<usize> {
    let context = Context::with_budget(3_000_000).expect("there is room");
    let found = extract(&program(body), &context).expect("it is followed");
    let matching = found.program.matching().expect("it is decided");
    assert!(matching.is_whole().expect("it is small"), "{body}");
    let others = found.program.known().parameters().expect("it is small");
    let others: Vec<String> = others.into_iter().filter(|name| name != "np").collect();
    let values = (-1..9).map(|value| {
        let mut values: BTreeMap<String, i64> = others.iter().map(|name| (name.clone(), value)).collect();
        values.insert("np".to_owned(), 3);
        values
    });
    let known = found.program.known();
    let is_possible = |values: &BTreeMap<String, i64>| {
        !known.fix_parameters(values).and_then(|known| known.is_empty()).expect("it is small")
    };
    values
        .filter(is_possible)
        .map(|values| found.messages(&matching, &values, 100).expect("it is small").len())
        .collect()
}

/// It is decided, and there are so many messages.
fn decided(body: &str, messages: &str) {
    match said(body) {
        Ok((volume, Some(_))) => assert_eq!(volume, messages, "{body}"),
        other => panic!("{body}: {other:?}"),
    }
}

fn given_up(body: &str, reason: &str) {
    let said = said(body);
    assert_eq!(said.as_ref().err().map(String::as_str), Some(reason), "{body}: {said:?}");
}

const TO_THE_RIGHT: &str = "if (rank > 0) MPI_Recv(b, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
     if (rank < np - 1) MPI_Send(a, 1, MPI_INT, rank + 1, 7, MPI_COMM_WORLD);";

#[test]
fn a_chain_in_other_surroundings() {
    decided(TO_THE_RIGHT, "np - 1");
    decided(&format!("for (int i = 0; i < 3; i++) {{ {TO_THE_RIGHT} }}"), "3np - 3");
    decided(&format!("int i = 9; while (i-- > 4) {{ {TO_THE_RIGHT} }}"), "5np - 5");
    decided(
        &format!("for (int i = 0; ; i++) {{ if (i == 2) break; if (i == 1) continue; {TO_THE_RIGHT} }}"),
        "np - 1",
    );
    assert!(said(&format!("for (int i = 0, n = atoi(argv[1]); i < n; i++) {{ {TO_THE_RIGHT} }}")).is_ok());
}

#[test]
fn rings_are_written_in_many_ways() {
    for (to, from) in [
        ("(rank + 1) % np", "(rank - 1 + np) % np"),
        ("rank == np - 1 ? 0 : rank + 1", "rank == 0 ? np - 1 : rank - 1"),
        ("(rank + np + 1) % np", "(rank + 2 * np - 1) % np"),
        ("rank + 1 < np ? rank + 1 : rank + 1 - np", "(np + rank - 1) % np"),
    ] {
        decided(
            &format!(
                "MPI_Sendrecv(a, 1, MPI_INT, {to}, 0, b, 1, MPI_INT, {from}, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
            ),
            "np",
        );
    }
}

#[test]
fn requests_are_waited_for_wherever_they_are() {
    for wait in [
        "MPI_Waitall(n, q, MPI_STATUSES_IGNORE);",
        "for (int i = 0; i < n; i++) MPI_Wait(&q[i], MPI_STATUS_IGNORE);",
        "for (int i = n - 1; i >= 0; i--) MPI_Wait(q + i, MPI_STATUS_IGNORE);",
    ] {
        decided(
            &format!(
                "MPI_Request q[2]; int n = 0;\n\
                 MPI_Irecv(b, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[n++]);\n\
                 MPI_Isend(a, 1, MPI_INT, rank < np - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[n++]);\n{wait}"
            ),
            "np - 1",
        );
    }
    given_up(
        "MPI_Request q; if (rank > 0) MPI_Irecv(b, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &q);\n\
         if (rank < np - 1) MPI_Send(a, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);",
        "it is not known where the request of this call is waited for",
    );
}

#[test]
fn a_persistent_operation_is_started_again_and_again() {
    decided(
        "MPI_Request q[2];\n\
         MPI_Recv_init(b, 1, MPI_INT, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[0]);\n\
         MPI_Send_init(a, 1, MPI_INT, rank < np - 1 ? rank + 1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[1]);\n\
         for (int i = 0; i < 4; i++) { MPI_Startall(2, q); MPI_Waitall(2, q, MPI_STATUSES_IGNORE); }\n\
         MPI_Request_free(&q[0]); MPI_Request_free(&q[1]);",
        "4np - 4",
    );
}

#[test]
fn parts_of_a_communicator() {
    let chain = "MPI_Comm c; int r, n; MPI_Comm_split(MPI_COMM_WORLD, COLOUR, KEY, &c);\n\
         if (c != MPI_COMM_NULL) { MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);\n\
         if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 7, c, MPI_STATUS_IGNORE);\n\
         if (r < n - 1) MPI_Send(a, 1, MPI_INT, r + 1, 7, c);\n\
         MPI_Barrier(c); MPI_Comm_free(&c); }";
    for (colour, key) in [
        ("rank % 2", "rank"),
        ("rank % 2", "-rank"),
        ("rank / 3", "0"),
        ("rank < 7", "rank"),
        ("0", "np - rank"),
        ("rank % 3", "rank"),
        ("rank < 2 ? MPI_UNDEFINED : 5", "0"),
        ("0", "rank % 2"),
        ("rank < 7", "-(rank % 2)"),
        ("rank ? 4 : MPI_UNDEFINED", "rank % 2 == 0 ? rank : np + rank"),
    ] {
        let body = chain.replace("COLOUR", colour).replace("KEY", key);
        assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
}

#[test]
fn what_one_process_alone_reads_is_told_to_all() {
    decided(
        &format!(
            "int n = 0; if (rank == 0) n = 4; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);\n\
             for (int i = 0; i < n; i++) {{ {TO_THE_RIGHT} }}"
        ),
        "4np - 4",
    );
}

#[test]
fn a_loop_ends_for_all_when_all_agree() {
    assert!(matches!(
        said(&format!(
            "double all, mine = 0; do {{ {TO_THE_RIGHT} mine = b[0];\n\
             MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }} while (all > 1e-3);"
        )),
        Ok((_, _))
    ));
    given_up(
        &format!("while (b[0] > 3) {{ {TO_THE_RIGHT} b[0] = rand(); }}"),
        "it is not known how often this loop goes round, and communication depends on it",
    );
}

#[test]
fn doubts_end_where_the_ways_come_together() {
    decided(&format!("int x = 0; if (a[0] > 3) x = 5; if (x) b[0] = 1; {TO_THE_RIGHT}"), "np - 1");
    given_up(
        &format!("int x = 0; if (a[0] > 3) x = 5; if (x) {{ {TO_THE_RIGHT} }}"),
        "it is not known which way this branch goes, and communication depends on it",
    );
}

#[test]
fn what_a_loop_may_write_is_not_known_after_it() {
    // The store may go anywhere: the number of processes is among what it may write.
    given_up(
        "int *p = rand() ? a : &np; for (int i = 0; i < 3; i++) { int n = 0; n += b[i]; p[n] = 1; }\n\
         MPI_Sendrecv(a, 1, MPI_INT, (rank + 1) % np, 0, b, 1, MPI_INT, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "the other side of this message has no form that is followed",
    );
}

#[test]
fn functions_are_followed_where_they_are_called() {
    let text = "MPI_Send(a, 1, MPI_INT, rank, 0, MPI_COMM_SELF);";
    assert!(said(text).is_err(), "a communicator that is not known is not followed");
    decided(
        "int k = 0; for (int i = 0; i < np; i += 2) k++; for (int i = 0; i < k; i++) MPI_Barrier(MPI_COMM_WORLD);",
        "0",
    );
}

#[test]
fn who_is_left_over_is_found() {
    given_up(
        "if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);",
        "left over: S0[1] where np = 2",
    );
}

#[test]
fn parts_are_told_different_numbers() {
    // The sum over each half of the processes: not the same for all.
    given_up(
        "MPI_Comm c; int n; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c);\n\
         MPI_Allreduce(&rank, &n, 1, MPI_INT, MPI_SUM, c);\n\
         if (n > 3) MPI_Barrier(MPI_COMM_WORLD);",
        "it is not known which way this branch goes, and communication depends on it",
    );
}

#[test]
fn what_differs_is_not_the_same_for_all() {
    for body in [
        // One of two inputs, by the rank.
        "double x; if (rank) x = atof(argv[1]); else x = atof(argv[2]); if (x > 0) MPI_Barrier(MPI_COMM_WORLD);",
        // The root tells another number than the others have.
        "int n; if (rank == 0) { n = rand(); MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); n = rank; }\n\
         else { n = 0; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); }\n\
         for (int i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);",
    ] {
        assert!(!matches!(said(body), Ok((_, Some(_)))), "{body}: {:?}", said(body));
    }
}

/// A loop of rounds in which all have the same number `all`, which nobody knows.
fn in_rounds(body: &str) -> String {
    format!(
        "double mine = 0, all; MPI_Request q;\n\
         for (int i = 0; i < 7; i++) {{ MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); {body} }}"
    )
}

#[test]
fn parts_that_all_execute_in_the_same_rounds_are_followed() {
    decided(&in_rounds(&format!("if (all > 3) {{ {TO_THE_RIGHT} }}")), "?");
    decided(&in_rounds(&format!("if (all > 3) continue; {TO_THE_RIGHT} MPI_Barrier(MPI_COMM_WORLD);")), "?");
    decided(
        &in_rounds(
            "if (all > 3) MPI_Barrier(MPI_COMM_WORLD); else MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_WORLD);",
        ),
        "?",
    );
    let ring = "MPI_Irecv(b, 1, MPI_INT, (rank - 1 + np) % np, 0, MPI_COMM_WORLD, &q);\n\
        MPI_Send(a, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD);";
    let wait = "MPI_Wait(&q, MPI_STATUS_IGNORE);";
    decided(&in_rounds(&format!("if (all > 3) {{ {ring} {wait} }} {TO_THE_RIGHT}")), "?");
    decided(&in_rounds(&format!("q = MPI_REQUEST_NULL; if (all > 3) {{ {ring} }} {wait}")), "?");
    decided(&in_rounds(&format!("if (all > 3) {{ for (int k = 0; k < 2; k++) {{ {TO_THE_RIGHT} }} }}")), "?");
}

#[test]
fn what_only_some_execute_in_a_round_is_not_followed() {
    let send = "if (rank > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);";
    let receive =
        "if (rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for body in [
        // One side of a message, or one part of the processes.
        format!("if (all > 3) {{ {send} }} {receive}"),
        format!("if (all > 3) {{ {send} }} else {{ {receive} }}"),
        format!("if (rank % 2) {{ if (all > 3) continue; }} {send} {receive}"),
        format!("if (all > 3) {{ {send} }} if (all > 3.5) {{ {receive} }}"),
        format!("if (rand() > 3) {{ {send} {receive} }}"),
        format!("mine += rank; if (mine > 3) {{ {send} {receive} }}"),
        "if (rank % 2 && all > 3) continue; MPI_Barrier(MPI_COMM_WORLD);".to_owned(),
"for (int k = 0; k < rank; k++) { if (all > k) return 0; } MPI_Barrier(MPI_COMM_WORLD);".to_owned(),
        "int n = 0; for (int k = 0; k < rank; k++) { if (all > k) n++; } if (n) MPI_Barrier(MPI_COMM_WORLD);"
            .to_owned(),
        // The wait may be left out.
        "MPI_Irecv(b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &q); MPI_Send(a, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);\n\
         if (all > 3) MPI_Wait(&q, MPI_STATUS_IGNORE);"
            .to_owned(),
    ] {
        let body = in_rounds(&body);
        assert!(!matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
}

#[test]
fn a_program_may_need_some_processes() {
    let first_two = "if (rank == 0) MPI_Send(a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);\n\
        if (rank == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let context = Context::with_budget(3_000_000).expect("there is room");
    let found = extract(&program(first_two), &context).expect("it is followed");
    assert_eq!(found.least, 2);
    let matching = found.program.matching().expect("it is decided");
    assert!(matching.is_whole().expect("it is small"));
    given_up(
        "if (rank == 0) MPI_Send(a, 1, MPI_INT, np, 0, MPI_COMM_WORLD);",
        "it is not shown that the other side is a rank of the communicator",
    );
}

#[test]
fn who_ends_early_ends_for_all() {
    given_up(
        "if (rank == 3) exit(1); MPI_Barrier(MPI_COMM_WORLD);",
        "some processes end here, and others do not",
    );
    decided(
        &format!("if (np > 3) MPI_Abort(MPI_COMM_WORLD, 1); {TO_THE_RIGHT}"),
        "(np - 1) * [0 <= -np + 3]",
    );
}

#[test]
fn an_end_that_may_be_taken_is_not_all_there_is() {
    // All that communicates comes after it.
    given_up(
        "if (atoi(argv[1]) == rand()) return 0; exit(1); MPI_Barrier(MPI_COMM_WORLD);",
        "what follows this end of the program is not reached",
    );
    decided(&format!("int *p = NULL; if (rand() == 7) exit(1); {TO_THE_RIGHT}"), "np - 1");
}

#[test]
fn what_a_pointer_may_point_to_is_not_known_after_it() {
    // It is one of several variables, in a list of pointers.
    given_up(
        "int to = rank, other, *places[2] = {&to, &other}; *places[rand() % 2] = 0;\n\
         MPI_Sendrecv(a, 1, MPI_INT, to, 0, b, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "the other side of this message has no form that is followed",
    );
}

#[test]
fn what_mpi_calls_may_change_what_is_followed() {
    let call = "MPI_Op op; MPI_Op_create(add, 1, &op);\n\
        MPI_Sendrecv(a, 1, MPI_INT, (rank + by) % np, 0, b, 1, MPI_INT, (rank + np - by) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    let add = |text: &str| {
        format!(
            "static int by = 1, *p = &by;\nvoid add(void *in, void *sum, int *n, MPI_Datatype *t) {{ {text} }}\n---\n{call}"
        )
    };
    let reason = "`add` may be called at any time, and change what is followed";
    decided(&add("int *x = in, *y = sum; for (int i = 0; i < *n; i++) y[i] += x[i];"), "np");
    decided(&add("for (int i = 0; i < *n; i++) ((int *)sum)[i] = abs(((int *)in)[i]);"), "np");
    given_up(&add("by = 2;"), reason);
    given_up(&add("int *x = p; *x = 2;"), reason);
    given_up(&add("int *x = &by; x = in; *x = 2; x = p;"), reason);
    given_up(&add("static int k; k = 1;"), reason);
    given_up(&add("MPI_Barrier(MPI_COMM_WORLD);"), reason);
}

#[test]
fn a_loop_may_be_left_after_any_round() {
    let sum = "MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);";
    let any: BTreeSet<usize> = (1..=4).map(|rounds| 2 * rounds).collect();
    for (first, last) in [
        ("", "if (all < 1e-3) break;"),
        ("", "if (!(all >= 1e-3)) break;"),
        ("", "if (all > 1e-3) continue; else break;"),
        ("", "if (all < 1e-3 && i >= 0) break;"),
    ] {
        let body = format!(
            "double all = 1, mine = rank; for (int i = 0; i < 4; i++) {{ {first} {TO_THE_RIGHT} {sum} {last} }}"
        );
        assert_eq!(numbers(&body), any, "{body}");
    }
    let head = format!(
        "double all = 1, mine = rank; int i = 0; while (i < 4 && all > 1e-3) {{ {TO_THE_RIGHT} {sum} i++; }}"
    );
    assert!(numbers(&head).is_superset(&any), "{head}");
}

#[test]
fn a_communicator_that_is_not_followed_takes_no_number() {
    decided(
        "MPI_Comm c, d; MPI_Comm_split(MPI_COMM_WORLD, rand(), 0, &c); MPI_Comm_dup(MPI_COMM_WORLD, &d);\n\
         MPI_Sendrecv(a, 1, MPI_INT, (rank + 1) % np, 0, b, 1, MPI_INT, (rank - 1 + np) % np, 0, d, MPI_STATUS_IGNORE);",
        "np",
    );
}

#[test]
fn memory_differs_at_the_same_place() {
    for place in ["t[k]", "*(t + k)", "*p"] {
        let body = format!(
            "int t[4] = {{rank, 1, 2, 3}}, k = 0; for (int i = 0; i < 3; i++) k = atoi(argv[i]); int *p = t + k;\n\
             if ({place} > 1) MPI_Barrier(MPI_COMM_WORLD);"
        );
        given_up(&body, "it is not known which way this branch goes, and communication depends on it");
    }
    // What an unknown function is given, it may follow.
    given_up(
        "struct list { int *p; } s = {&np}; unknown(&s);\n\
         MPI_Send(a, 1, MPI_INT, np - 1 - rank, 0, MPI_COMM_WORLD);",
        "the other side of this message has no form that is followed",
    );
}

/// What has one answer has it in other surroundings, too.
#[test]
fn surroundings_do_not_matter() {
    let exchange = |to: &str, from: &str| {
        format!(
            "MPI_Irecv(b, 1, MPI_INT, {from}, 5, c, &q[0]); MPI_Isend(a, 1, MPI_INT, {to}, 5, c, &q[1]);\n\
             MPI_Waitall(2, q, MPI_STATUSES_IGNORE);"
        )
    };
    let null = |condition: &str, rank: &str| format!("({condition} ? {rank} : MPI_PROC_NULL)");
    let (right, left) = (null("r + 1 < n", "r + 1"), null("r > 0", "r - 1"));
    let (pair, other) =
        (null("(r ^ 1) < n", "(r ^ 1)"), null("r % 2 || r + 1 < n", "(r % 2 ? r - 1 : r + 1)"));
    let patterns = [
        exchange(&right, &left),
        exchange(&left, &right),
        exchange("(r + 1) % n", "(r - 1 + n) % n"),
        exchange(&pair, &other),
        exchange("n - 1 - r", "n - 1 - r"),
        "if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 6, c, MPI_STATUS_IGNORE);\n\
         if (r + 1 < n) MPI_Send(a, 1, MPI_INT, r + 1, 6, c);"
            .to_owned(),
        "if (r + 1 < n) MPI_Recv(b, 1, MPI_INT, r + 1, 6, c, MPI_STATUS_IGNORE);\n\
         if (r > 0) MPI_Send(a, 1, MPI_INT, r - 1, 6, c);"
            .to_owned(),
        "if (r == 0) { for (int i = 1; i < n; i++) MPI_Recv(b, 1, MPI_INT, i, 8, c, MPI_STATUS_IGNORE); }\n\
         else MPI_Send(a, 1, MPI_INT, 0, 8, c);"
            .to_owned(),
        // One after the other is asked, and answers.
        "for (int i = 1; i < n; i++) {\n\
         if (r == 0) { MPI_Send(a, 1, MPI_INT, i, 3, c); MPI_Recv(b, 1, MPI_INT, i, 4, c, MPI_STATUS_IGNORE); }\n\
         if (r == i) { MPI_Recv(b, 1, MPI_INT, 0, 3, c, MPI_STATUS_IGNORE); MPI_Send(a, 1, MPI_INT, 0, 4, c); } }"
            .to_owned(),
        // Partners in a table; what a probe has found.
        "int t[2] = {1, -1}, p = r + t[r % 2];\n\
         if (p < n) MPI_Sendrecv(a, 1, MPI_INT, p, 2, b, 1, MPI_INT, p, 2, c, MPI_STATUS_IGNORE);"
            .to_owned(),
        "MPI_Status s; if (r == 0) for (int i = 1; i < n; i++) { MPI_Probe(i, 5, c, &s); MPI_Recv(a, 8, MPI_INT, i, 5, c, MPI_STATUS_IGNORE); }\n\
         else MPI_Send(a, r % 4 + 1, MPI_INT, 0, 5, c);"
            .to_owned(),
        // Steps with something now and then, and in those in which all agree.
        "for (int t = 0; t < 5; t++) {\n\
         if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 1, c, MPI_STATUS_IGNORE);\n\
         if (r + 1 < n) MPI_Send(a, 1, MPI_INT, r + 1, 1, c);\n\
         if (t % 4 == 0) { if (r == 0) { for (int i = 1; i < n; i++) MPI_Recv(b, 1, MPI_INT, i, 2, c, MPI_STATUS_IGNORE); }\n\
         else MPI_Send(a, 1, MPI_INT, 0, 2, c); } }"
            .to_owned(),
        "for (int t = 0; t < 3; t++) { MPI_Allreduce(a, b, 1, MPI_INT, MPI_MAX, c);\n\
         if (b[0] > 7) { if (r + 1 < n) MPI_Send(a, 1, MPI_INT, r + 1, 1, c);\n\
         if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 1, c, MPI_STATUS_IGNORE); } }"
            .to_owned(),
    ];
    let whole = "MPI_Comm c; MPI_Comm_dup(MPI_COMM_WORLD, &c);";
    let part =
        |colour: &str, key: &str| format!("MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, {colour}, {key}, &c);");
    for (at, pattern) in patterns.iter().enumerate() {
        let in_rounds = |rounds: &str| format!("for (int k = 0; k < {rounds}; k++) {{ {pattern} }}");
        let after = &patterns[2];
        let mut programs = vec![
            (whole.to_owned(), pattern.clone()),
            (whole.to_owned(), in_rounds("3")),
            (whole.to_owned(), in_rounds("argc")),
            (whole.to_owned(), format!("{after}\n{pattern}")),
            (whole.to_owned(), format!("for (int k = 0; k < 3; k++) {{ {pattern}\nMPI_Barrier(c); }}")),
            (part("0", "-rank"), pattern.clone()),
        ];
        // Integer sets take longer for these: one in two. What one part is told, others are not.
        if pattern.contains("MPI_Allreduce") {
            programs.push((part("0", "(np - rank) * 2"), in_rounds("2")));
        } else if at % 2 == 0 {
            programs.push((part("rank % 2", "rank"), pattern.clone()));
        } else {
            programs.push((part("rank < 7", "rank"), pattern.clone()));
        }
        for (communicator, body) in programs {
            let body = format!(
                "{communicator} MPI_Request q[2]; int r, n; MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);\n{body}"
            );
            let said = said_up_to(&body, 3);
            assert!(matches!(said, Ok((_, Some(_)))), "{body}: {said:?}");
        }
    }
}

#[test]
fn an_index_may_be_any_expression() {
    decided(
        "int table[4] = {3, 2, 1, 0}, base = rank - rank % 4;\n\
         if (base + 4 <= np) MPI_Sendrecv(a, 1, MPI_INT, base + table[rank % 4], 1, b, 1, MPI_INT, base + table[rank % 4], 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "?",
    );
    decided(
        "int nbr[2] = {rank ? rank - 1 : MPI_PROC_NULL, rank + 1 < np ? rank + 1 : MPI_PROC_NULL};\n\
         MPI_Request r[4];\n\
         for (int d = 0; d < 2; d++) { MPI_Irecv(a, 1, MPI_INT, nbr[d], 0, MPI_COMM_WORLD, &r[2 * d]); MPI_Isend(b, 1, MPI_INT, nbr[d], 0, MPI_COMM_WORLD, &r[2 * d + 1]); }\n\
         MPI_Waitall(4, r, MPI_STATUSES_IGNORE);",
        "2np - 2",
    );
    given_up(
        "int table[2] = {1, 0};\nMPI_Send(a, 1, MPI_INT, table[rank], 1, MPI_COMM_WORLD);",
        "the other side of this message has no form that is followed",
    );
}

#[test]
fn requests_are_complete_where_they_are_tested_or_one_after_the_other() {
    let ring = "MPI_Request r[2];\nint flag = 0, index;\n\
                MPI_Irecv(a, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, &r[0]);\n\
                MPI_Isend(b, 1, MPI_INT, (rank + 1) % np, 0, MPI_COMM_WORLD, &r[1]);\n";
    for end in [
        "while (!flag) MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);",
        "do { a[3]++; MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE); } while (!flag);\nMPI_Wait(&r[1], MPI_STATUS_IGNORE);",
        "for (int k = 0; k < 2; k++) MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);",
        "MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);\nMPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
        "if (argc > 1) MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);\nMPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
    ] {
        decided(&format!("{ring}{end}"), "np");
    }
    given_up(
        &format!("{ring}MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);\nif (flag) MPI_Barrier(MPI_COMM_WORLD);"),
        "it is not known which way this branch goes, and communication depends on it",
    );
}

#[test]
fn what_a_probe_finds_is_received_next() {
    let send = "if (rank > 0) MPI_Send(a, rank, MPI_INT, 0, 3, MPI_COMM_WORLD);\nelse for (int i = 1; i < np; i++) {\n\
                MPI_Status s; MPI_Message m; int n, flag = 0;\n";
    for receive in [
        "MPI_Probe(i, 3, MPI_COMM_WORLD, &s); MPI_Get_count(&s, MPI_INT, &n); MPI_Recv(b, n, MPI_INT, i, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s); MPI_Recv(b, 8, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "while (!flag) MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, &s);\nMPI_Recv(b, 8, MPI_INT, s.MPI_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "MPI_Mprobe(i, 3, MPI_COMM_WORLD, &m, &s); MPI_Mrecv(b, 8, MPI_INT, &m, MPI_STATUS_IGNORE);",
        "do MPI_Improbe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &flag, &m, &s); while (!flag);\nMPI_Mrecv(b, 8, MPI_INT, &m, MPI_STATUS_IGNORE);",
    ] {
        decided(&format!("{send}{receive}}}"), "np - 1");
        decided(&format!("int k = 3; do {{ {send}{receive}}} }} while (--k);"), "3np - 3");
    }
    for (receive, reason) in [
        (
            "MPI_Probe(i, 3, MPI_COMM_WORLD, &s); MPI_Recv(b, 8, MPI_INT, i, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
            "what is done between a probe and the receive of its message is not followed",
        ),
        (
            "MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s); MPI_Send(b, 1, MPI_INT, s.MPI_SOURCE, 3, MPI_COMM_WORLD);",
            "what is done between a probe and the receive of its message is not followed",
        ),
        (
            "if (i == 1) { MPI_Mprobe(i, 3, MPI_COMM_WORLD, &m, &s); } else MPI_Mrecv(b, 8, MPI_INT, &m, MPI_STATUS_IGNORE);",
            "it is not known which message this is",
        ),
        (
            "MPI_Recv(b, 8, MPI_INT, i, 3, MPI_COMM_WORLD, &s); if (i + 1 == np) MPI_Probe(i, 3, MPI_COMM_WORLD, &s);",
            "a message that a probe finds is received in another round, or not at all",
        ),
        (
            "MPI_Iprobe(i, 3, MPI_COMM_WORLD, &flag, &s); if (flag) MPI_Recv(b, 8, MPI_INT, i, 3, MPI_COMM_WORLD, &s);",
            "it is not known which way this branch goes, and communication depends on it",
        ),
    ] {
        given_up(&format!("{send}{receive}}}"), reason);
    }
    decided(
        "MPI_Status s;\nif (rank == 1) MPI_Recv(a, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &s), MPI_Send(a, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD);\n\
         if (rank == 0 && np > 1) MPI_Send(a, 1, MPI_INT, 1, 7, MPI_COMM_WORLD), MPI_Recv(a, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "2 * [0 <= np - 2]",
    );
}

#[test]
fn receives_from_anybody_come_before_or_after_others() {
    let gather = "if (rank == 0) for (int i = 1; i < np; i++) MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                  else MPI_Send(a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n";
    let ring = "MPI_Sendrecv(a, 1, MPI_INT, (rank + 1) % np, 0, b, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";
    let barrier = "MPI_Barrier(MPI_COMM_WORLD);\n";
    let sum = "MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n";
    decided(&format!("{ring}{gather}"), "2np - 1");
    decided(&format!("{gather}{barrier}{ring}"), "2np - 1");
    decided(&format!("{gather}{sum}{gather}{barrier}{ring}{gather}"), "4np - 3");
    let reason = "receives from any source or with any tag compete for messages in a way that is not decided";
    given_up(&format!("{gather}{ring}"), reason);
    assert!(said(&format!("{gather}{gather}")).is_ok());
    given_up(&format!("{gather}MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_WORLD);\n{ring}"), reason);
    given_up(&format!("{barrier}{gather}{ring}{barrier}"), reason);
    decided(&format!("for (int k = 0; k < 3; k++) {{ {gather}{barrier} }}"), "3np - 3");
}

#[test]
fn what_is_counted_now_and_then_has_a_formula() {
    let all = "MPI_Request r[64]; int n = 0;\n\
               for (int i = 0; i < np; i++) { if (SKIP) continue; MPI_Irecv(b, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[n++]); }\n\
               for (int i = 0; i < np; i++) if (!(SKIP)) MPI_Send(a, 1, MPI_INT, i, 0, MPI_COMM_WORLD);\n\
               MPI_Waitall(n, r, MPI_STATUSES_IGNORE);";
    for skip in ["i == rank", "i - rank > 1 || rank - i > 1", "(i + rank) % 2 == 0"] {
        let body = all.replace("SKIP", skip);
        assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
    let rounds = format!("for (int k = 0; k < 3; k++) {{ {} }}", all.replace("SKIP", "i == rank"));
    assert!(matches!(said(&rounds), Ok((_, Some(_)))), "{:?}", said(&rounds));
    // A number that is doubled now and then has none.
    given_up(
        &all.replace("n++", "n")
            .replace("if (SKIP) continue;", "if (i % 2) n = 2 * n + 1;")
            .replace("SKIP", "0"),
        "it is not known where the request of this call is",
    );
}

#[test]
fn elements_of_arrays_are_those_of_their_last_writers() {
    let alltoall = "int *give = malloc(np * sizeof(int)), *take = malloc(np * sizeof(int)), n = 0; MPI_Request *r = malloc(np * sizeof(MPI_Request));\n\
         for (int i = 0; i < np; i++) give[i] = WHOM;\n\
         MPI_Alltoall(give, 1, MPI_INT, take, 1, MPI_INT, MPI_COMM_WORLD);\n\
         for (int i = 0; i < np; i++) if (take[i]) { MPI_Irecv(b, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[n]); n++; }\n\
         for (int i = 0; i < np; i++) if (give[i]) MPI_Send(a, 1, MPI_INT, i, 0, MPI_COMM_WORLD);\n\
         MPI_Waitall(n, r, MPI_STATUSES_IGNORE);";
    for whom in ["(rank + i) % 2", "i > rank", "i == rank + 1 || rank == i + 1", "i < 2", "rank == 0"] {
        let body = alltoall.replace("WHOM", whom);
        assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
    let parts = "MPI_Comm c; int r, m; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c); MPI_Comm_rank(c, &r); MPI_Comm_size(c, &m);\n";
    let of_parts = alltoall
        .replace("rank", "r")
        .replace("np", "m")
        .replace("MPI_COMM_WORLD", "c")
        .replace("*r =", "*q =");
    let of_parts = of_parts.replace("WHOM", "i > r").replace("&r[n]", "&q[n]").replace("n, r,", "n, q,");
    assert!(matches!(said(&format!("{parts}{of_parts}")), Ok((_, Some(_)))), "{of_parts}");
    let list = "int to[8], n = 0;\nfor (int d = -1; d <= 1; d++) if (d && rank + d >= 0 && rank + d < np) to[n++] = rank + d;\n\
         MPI_Request r[8];\n\
         for (int i = 0; i < n; i++) MPI_Irecv(b, 1, MPI_INT, to[i], 0, MPI_COMM_WORLD, &r[i]);\n\
         for (int i = 0; i < n; i++) MPI_Send(a, 1, MPI_INT, to[i], 0, MPI_COMM_WORLD);\n\
         MPI_Waitall(n, r, MPI_STATUSES_IGNORE);";
    assert!(matches!(said(list), Ok((_, Some(_)))), "{:?}", said(list));
    // Somebody else may write it, too.
    given_up(
        &list.replace("MPI_Request r[8];", "MPI_Request r[8]; if (rand()) to[0] = 0;"),
        "the other side of this message has no form that is followed",
    );
    given_up(
        &list.replace("to[n++] = rank + d;", "{ to[n++] = rank + d; to[b[0]] = 2; }"),
        "the other side of this message has no form that is followed",
    );
    given_up(
        "int *to = malloc(np * sizeof(int)), **p = malloc(8); *p = rand() ? to : a;\n\
         for (int i = 0; i < np; i++) { **p = 1; to[i] = (rank + 1) % np; }\n\
         MPI_Sendrecv(a, 1, MPI_INT, to[0], 0, b, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "the other side of this message has no form that is followed",
    );
    // The last writer of two.
    decided(
        "int to[64]; for (int i = 0; i < np; i++) { to[i] = i; to[np - 1 - i] = (rank + 1) % np; }\n\
         MPI_Sendrecv(a, 1, MPI_INT, to[0], 0, b, 1, MPI_INT, (rank + np - 1) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "np",
    );
}

#[test]
fn whoever_has_asked_is_answered() {
    let asked = "MPI_Status s;\n\
         if (rank == 0) for (int i = 1; i < np; i++) { MPI_Recv(a, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s); ANSWER }\n\
         else { MPI_Send(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); RECEIVE }\n";
    let of = |answer: &str, receive: &str| asked.replace("ANSWER", answer).replace("RECEIVE", receive);
    let answer = "MPI_Send(b, 1, MPI_INT, s.MPI_SOURCE, 2, MPI_COMM_WORLD);";
    let receive = "MPI_Recv(a, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    decided(&of(answer, receive), "2np - 2");
    let twice = |text: &str| text.to_owned() + &text.replace(", 2, MPI_COMM", ", 3, MPI_COMM");
    decided(&of(&twice(answer), &twice(receive)), "3np - 3");
    decided(
        &format!("for (int k = 0; k < 3; k++) {{ {} MPI_Barrier(MPI_COMM_WORLD); }}", of(answer, receive)),
        "6np - 6",
    );
    let reason = "receives from any source or with any tag compete for messages in a way that is not decided";
    // Only those who come first are answered.
    given_up(&of(&format!("if (i < 3) {{ {answer} }}"), &format!("if (rank < 3) {{ {receive} }}")), reason);
    // Who is answered by which of two calls is open.
    given_up(&of(&format!("if (i < 3) {{ {answer} }} else {{ {answer} }}"), receive), reason);
    // Somebody else sends the same.
    let other = "if (rank == 0) for (int i = 1; i < np; i++) MPI_Send(b, 1, MPI_INT, i, 2, MPI_COMM_WORLD); else RECEIVE";
    given_up(&(other.replace("RECEIVE", receive) + &of(answer, receive)), reason);
    given_up(
        &of("", "").replace("RECEIVE", "").replace("else {", &format!("if (rank == 0) {answer} else {{")),
        "the other side of this message has no form that is followed",
    );
}

#[test]
fn lengths_are_known_in_each_instance() {
    let body = "if (rank == 0) for (int i = 1; i < np; i++) { MPI_Status s; int n = 0;\n\
         MPI_Probe(MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &s); MPI_Get_count(&s, MPI_INT, &n);\n\
         MPI_Recv(b, n, MPI_INT, s.MPI_SOURCE, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }\n\
         else MPI_Send(a, rank % 4 + 1, MPI_INT, 0, 20, MPI_COMM_WORLD);";
    let context = Context::with_budget(3_000_000).expect("there is room");
    let found = extract(&program(body), &context).expect("it is followed");
    let matching = found.program.matching().expect("it is decided");
    let values = BTreeMap::from([("np".to_owned(), 7)]);
    let messages = found.messages(&matching, &values, 100).expect("it is small");
    let lengths: Vec<_> = messages.iter().map(|message| (message.from, message.count)).collect();
    assert_eq!(lengths, (1..7).map(|rank| (rank, Some(rank % 4 + 1))).collect::<Vec<_>>());
}

#[test]
fn the_bytes_of_a_datatype_follow_from_how_it_is_made() {
    let body = |make: &str| {
        format!(
            "MPI_Datatype t, u;\n{make}\nif (rank) MPI_Send(a, 1, t, 0, 0, MPI_COMM_WORLD);\n\
         else for (int i = 1; i < np; i++) MPI_Recv(a, 1, t, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        )
    };
    let bytes = |make: &str| {
        let context = Context::with_budget(3_000_000).expect("there is room");
        let found = extract(&program(&body(make)), &context).expect("it is followed");
        found.payloads[0].bytes
    };
    assert_eq!(bytes("MPI_Type_contiguous(3, MPI_INT, &t); MPI_Type_commit(&t);"), Some(12));
    assert_eq!(
        bytes(
            "MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &u); MPI_Type_create_resized(u, 0, 8, &t); MPI_Type_commit(&t);"
        ),
        Some(48)
    );
    assert_eq!(bytes("MPI_Type_contiguous(np, MPI_INT, &t); MPI_Type_commit(&t);"), None);
    assert_eq!(
        bytes("MPI_Type_contiguous(3, MPI_INT, &t); if (rand()) MPI_Type_contiguous(2, MPI_INT, &t);"),
        None
    );
}

#[test]
fn last_round_of_a_process() {
    // What is the same for all in one round differs where the last round does.
    given_up(
        "int x = 0; for (int i = 0; i < rank; i++) x = atoi(argv[i]);\n\
         if (x > 3) MPI_Barrier(MPI_COMM_WORLD);",
        "it is not known which way this branch goes, and communication depends on it",
    );
    decided(
        "int x = 0; for (int i = 0; i < 3; i++) x = atoi(argv[i]);\n\
         if (x > 3) MPI_Barrier(MPI_COMM_WORLD);",
        "0",
    );
}

#[test]
fn cases_of_what_nobody_knows() {
    // Each of them is possible.
    let hangs = "switch (atoi(argv[1]) * atoi(argv[2])) {\n\
                 case 1: MPI_Barrier(MPI_COMM_WORLD); break;\n\
                 case 2: if (rank == 0) MPI_Recv(a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); break; }";
    assert_eq!(said(hangs).map_err(|error| error.starts_with("left over")), Err(true));
}

#[test]
fn ways_that_all_go_together() {
    // All or none of them in each round.
    let same = "int x = 0; for (int i = 0; i < np; i++) if (atoi(argv[i]) * atoi(argv[1]) > 3) x = i;\n";
    decided(&format!("{same} if (x) MPI_Barrier(MPI_COMM_WORLD);"), "0");
    for differs in ["a[0]", "rank > 1 && atoi(argv[i]) * atoi(argv[1])"] {
        given_up(
            &format!(
                "int x = 0; for (int i = 0; i < np; i++) if ({differs}) x = i;\n\
                 if (x) MPI_Barrier(MPI_COMM_WORLD);"
            ),
            "it is not known which way this branch goes, and communication depends on it",
        );
    }
}

#[test]
fn all_end_before_they_communicate() {
    given_up(
        "for (int i = 1; i < argc; i++) if (atoi(argv[i]) * np == 3) return 0;\n\
         if (np > 0) MPI_Abort(MPI_COMM_WORLD, 1); if (rank == 0) MPI_Send(a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);",
        "all end the program before they communicate",
    );
}

#[test]
fn remainders_of_products_follow_from_those_of_the_factors() {
    let exchange = "MPI_Request q[64]; int n = 0;\n\
        for (int i = 0; i < np; i++) if (TAKES) { MPI_Irecv(b, 1, MPI_INT, i, 0, MPI_COMM_WORLD, &q[n]); n++; }\n\
        for (int i = 0; i < np; i++) if (GIVES) MPI_Send(a, 1, MPI_INT, i, 0, MPI_COMM_WORLD);\n\
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);";
    let said = |gives: &str, takes: &str| said(&exchange.replace("GIVES", gives).replace("TAKES", takes));
    assert!(matches!(said("rank * i % 3 == 1", "i * rank % 3 == 1"), Ok((_, Some(_)))));
    assert!(said("rank * i % 3 == 1", "i * rank % 3 == 2").is_err());
}
