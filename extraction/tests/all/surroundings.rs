//! Loops around what is exact by itself.

use std::collections::BTreeMap;

use extraction::extract;
use presburger::Context;

use crate::powers::within;
use crate::{TO_THE_RIGHT, decided, program, said};

/// It is not decided, or something is left over.
fn not_decided(body: &str) {
    let said = said(body);
    assert!(!matches!(said, Ok((_, Some(_)))), "{body}: {said:?}");
}

#[test]
fn communicators_are_made_in_each_round() {
    let ring = "int r, n; MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);\n\
        MPI_Sendrecv(a, 1, MPI_INT, (r + 1) % n, 0, b, 1, MPI_INT, (r + n - 1) % n, 0, c, MPI_STATUS_IGNORE);\n\
        MPI_Comm_free(&c);";
    for (make, messages) in [
        ("MPI_Comm_dup(MPI_COMM_WORLD, &c);", "3np"),
        ("MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c);", "?"),
    ] {
        decided(&format!("for (int i = 0; i < 3; i++) {{ MPI_Comm c; {make} {ring} }}"), messages);
        assert!(matches!(
            said(&format!("for (int i = 1; i < argc; i++) {{ MPI_Comm c; {make} {ring} }}")),
            Ok((_, Some(_)))
        ));
    }
    // Each round has another one.
    for made in ["", "if (i == 0)"] {
        not_decided(&format!(
            "MPI_Comm c; for (int i = 0; i < 2; i++) {{ {made} MPI_Comm_dup(MPI_COMM_WORLD, &c);\n\
             if (rank == 0 && i == 0) MPI_Send(a, 1, MPI_INT, 1, 0, c);\n\
             if (rank == 1 && i == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); }}"
        ));
    }
    // Which processes are in it depends on the round.
    not_decided(
        "for (int i = 0; i < 3; i++) { MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, rank < i, rank, &c);\n\
         int r; MPI_Comm_rank(c, &r); if (r == 0) MPI_Send(a, 1, MPI_INT, 1, 0, c);\n\
         if (r == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); }",
    );
    // Another one is left out in each round.
    not_decided(
        "for (int i = 0; i < 2; i++) { MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, rank == i ? MPI_UNDEFINED : 0, rank, &c);\n\
         if (c != MPI_COMM_NULL) { int r, n; MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);\n\
         if (r == 0 && n > 1) MPI_Send(a, 1, MPI_INT, 1, 0, c); if (r == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE); } }",
    );
    // Processes leave the loop in different rounds, with different communicators.
    not_decided(
        "MPI_Comm c = MPI_COMM_WORLD; for (int i = 0; i < 2; i++) { MPI_Comm d; MPI_Comm_dup(MPI_COMM_WORLD, &d);\n\
         if (i <= rank % 2) c = d; }\n\
         if (rank == 0) MPI_Send(a, 1, MPI_INT, 1, 0, c); if (rank == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn what_the_command_line_says_is_the_same_in_each_round() {
    let shift = "if (rank + q < np) MPI_Send(a, 1, MPI_INT, rank + q, 0, MPI_COMM_WORLD);\n\
        if (rank >= q) MPI_Recv(b, 1, MPI_INT, rank - q, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for read in ["atoi(argv[1])", "atoi(*(argv + 1))", "(int)strtol(argv[argc - 1], 0, 10)"] {
        let body = format!("for (int i = 0; i < 3; i++) {{ int q = {read}; if (q < 1) break; {shift} }}");
        assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
    // Another one in each round.
    let others = "for (int i = 0; i < 3; i++) { int q = atoi(argv[i]); if (q < 1) break;\n\
        if (rank + q < np) MPI_Isend(a, 1, MPI_INT, rank + q, 0, MPI_COMM_WORLD, &r); }\n\
        for (int i = 0; i < 3; i++) { int q = atoi(argv[2 - i]); if (q < 1) break;\n\
        if (rank >= q) MPI_Recv(b, 1, MPI_INT, rank - q, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    not_decided(others);
    for other in ["atoi(argv[i + 1])", "rand()", "atoi(i ? argv[1] : argv[2])"] {
        let two = format!(
            "int q = 1; for (int i = 0; i < 2; i++) {{ if (i == 1 && q != {other}) MPI_Barrier(MPI_COMM_WORLD); q = {other};\n\
             if (rank == 0 && i == 1 && q != {other}) MPI_Barrier(MPI_COMM_WORLD); }}"
        );
        not_decided(&two);
    }
}

#[test]
fn inner_loops_end_after_as_many_rounds_each_time() {
    let root = "int w = 1; while ((w + 1) * (w + 1) <= np) w++;";
    let shift = "if (rank + w < np) MPI_Send(a, 1, MPI_INT, rank + w, 0, MPI_COMM_WORLD);\n\
        if (rank >= w) MPI_Recv(b, 1, MPI_INT, rank - w, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for around in [
        "for (int i = 0; i < 3; i++)",
        "for (int i = 1; i < argc; i++)",
        "for (int i = 0; atof(argv[i]) > 1; i++)",
    ] {
        let body = format!("{around} {{ {root} {shift} }}");
        assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
    }
    // How often it goes round depends on the round around it.
    not_decided(
        "int w0 = 0; for (int i = 0; i < 2; i++) { int w = 1; while ((w + 1) * (w + i) <= np) w++;\n\
         if (i == 0) w0 = w; if (rank == 0 && w != w0) MPI_Barrier(MPI_COMM_WORLD); }",
    );
}

#[test]
fn who_asks_in_other_rounds_may_leave_later() {
    // What is read in round 3 may end the loop for process 0 alone.
    not_decided(
        "int i; for (i = 1; i < 8; i++) { if (rank == 0 || i % 2 == 0) if (atoi(argv[i]) == 7) break; }\n\
         if (i == 4 && rank == 1) MPI_Send(a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);\n\
         if (i == 3 && rank == 0) MPI_Recv(b, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    decided(
        &format!(
            "for (int i = 1; i < 8; i++) {{ if (i % 2 == 0 && atoi(argv[i]) == 7) break; }} {TO_THE_RIGHT}"
        ),
        "np - 1",
    );
}

#[test]
fn whoever_comes_first_is_served_round_by_round() {
    let collect = "if (rank == 0) for (int i = 1; i < np; i++) MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
        else MPI_Send(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);";
    let serve = |more: &str, own: &str| {
        format!(
            "MPI_Status s; if (rank == 0) {{ for (int i = 1; i < np; i++) {{ MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s);\n\
             MPI_Send(a, 1, MPI_INT, s.MPI_SOURCE, 2, MPI_COMM_WORLD); }} {more} }}\n\
             else {{ MPI_Send(a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); MPI_Recv(b, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); {own} }}"
        )
    };
    for around in ["for (int k = 0; k < 3; k++)", "for (int k = 1; k < argc; k++)"] {
        for body in [collect.to_owned(), serve("", "")] {
            let body = format!("{around} {{ {body} }}");
            assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
        }
    }
    // Somebody is served twice before the first process is: then both wait for each other.
    let waits = serve(
        "if (np > 1) MPI_Recv(b, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        "if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);",
    );
    not_decided(&format!("for (int k = 0; k < 3; k++) {{ {waits} }}"));
}

#[test]
fn some_leave_a_loop_another_way() {
    let barriers = "for (int k = 0; k < 3; k++) MPI_Barrier(MPI_COMM_WORLD);";
    for leaves in ["if (rank * m == 77)", "if (rank == m)", "if (rank + m == 77)"] {
        for next in ["m++", "m *= 2"] {
            not_decided(&format!(
                "for (int m = 1; m < np; {next}) {leaves} {{ MPI_Finalize(); return 0; }} MPI_Barrier(MPI_COMM_WORLD);"
            ));
            not_decided(&format!(
                "for (int m = 1; m < np; {next}) {leaves} goto here; goto there; here: {barriers} there: ;"
            ));
        }
    }
    // All come together again.
    for found in ["if (rank * m == 77) { a[0] = m; break; }", "if (rank * m == 77) a[0] = m;"] {
        decided(&format!("for (int m = 1; m < np; m++) {found} {TO_THE_RIGHT}"), "np - 1");
    }
}

#[test]
fn one_process_ends_all() {
    let width = "int w = argc > 1 ? atoi(argv[1]) : 1;";
    let to_last = "if (rank == 0) MPI_Send(a, 1, MPI_INT, np - 1, 0, MPI_COMM_WORLD);\n\
        if (rank == np - 1) MPI_Recv(b, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    for who in ["rank == 0", "rank == np - 1"] {
        let condition = format!("{who} && (w < 1 || np % w)");
        for around in ["", "for (int t = 0; t < 3; t++)"] {
            let body =
                format!("{width} {around} {{ if ({condition}) MPI_Abort(MPI_COMM_WORLD, 1); {to_last} }}");
            assert!(matches!(said(&body), Ok((_, Some(_)))), "{body}: {:?}", said(&body));
        }
        // One process that exits does not end the others.
        not_decided(&format!("{width} if ({condition}) exit(1); {to_last}"));
    }
    // `MPI_Abort` of a part ends that part.
    not_decided(&format!(
        "MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c); if (rank == 0 && argc > 2) MPI_Abort(c, 1);\n\
         MPI_Comm_free(&c); {to_last}"
    ));
    // Where a process always does, nothing is said.
    for (body, most) in [("if (rank == 5)", 5), ("for (int i = 0; i < 3; i++) if (rank == i + 4)", 4)] {
        let body = format!("{body} MPI_Abort(MPI_COMM_WORLD, 1); {to_last}");
        let context = Context::with_budget(3_000_000).expect("there is room");
        let found = extract(&program(&body), &context).expect("it is followed");
        let known = found.program.known();
        for np in 1..9 {
            let with = BTreeMap::from([("np".to_owned(), np)]);
            let is_known =
                !known.fix_parameters(&with).expect("np is a parameter").is_empty().expect("it is small");
            assert_eq!(is_known, np <= most, "{body}: np = {np}");
        }
    }
}

#[test]
fn what_holds_after_a_loop_holds_in_loops_around_it() {
    let chain = "if (rank % w > 0) MPI_Recv(b, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
        if (rank % w < w - 1) MPI_Send(a, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);";
    let in_rounds = |condition: &str| {
        format!(
            "for (int t = 0; t < 3; t++) {{ int w = 1; for (int d = 1; d < np; d++) if ({condition}) w = d; {chain} }}"
        )
    };
    let body = in_rounds("np % d == 0");
    assert!(within(&body, 10_000_000).is_ok(), "{body}");
    // What is found differs with the round: the number of one of them is not that of the others.
    for condition in ["np % (d + t) == 0", "atoi(argv[t]) == d"] {
        let body = in_rounds(condition);
        assert!(within(&body, 10_000_000).is_err(), "{body}");
    }
    let body = format!(
        "int w = 1; for (int t = 0; t < 3; t++) {{ if (t == 2) w = 7; for (int d = 1; d < np; d++) if (np % d == 0 && t != 2) w = d; {chain} }}"
    );
    assert!(within(&body, 10_000_000).is_err(), "{body}");
}

#[test]
fn what_a_branch_did_does_not_matter_after_it() {
    // The partner is looked up in a table, by some of the processes.
    let exchange = "int table[4] = {1, 0, 3, 2}, base = rank - rank % 4; if (base + 4 <= np) { int other = base + table[rank % 4];\n\
        MPI_Sendrecv(a, 1, MPI_INT, other, 0, b, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    let all_to_all = "MPI_Request *q = calloc(2 * np, sizeof *q); int n = 0, *x = calloc(np, 4), *y = calloc(np, 4);\n\
        for (int i = 0; i < np; i++) { if (i == rank) continue; MPI_Irecv(y + i, 1, MPI_INT, i, 20, MPI_COMM_WORLD, &q[n]); n++; }\n\
        for (int i = 0; i < np; i++) { if (i == rank) continue; MPI_Isend(x + i, 1, MPI_INT, i, 20, MPI_COMM_WORLD, &q[n]); n++; }\n\
        MPI_Waitall(n, q, MPI_STATUSES_IGNORE);";
    for body in [exchange.to_owned(), all_to_all.to_owned(), format!("{exchange} {all_to_all}")] {
        assert!(within(&body, 5_000_000).is_ok(), "{body}");
    }
}

#[test]
fn parts_of_other_sizes_have_other_numbers() {
    // Where the size is asked for, it is the same for all, and another one in each of the two ways.
    let body = "MPI_Comm c; int n; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &c);\n\
        if (rank % 2) { MPI_Comm_size(c, &n); for (int i = 0; i < n; i++) MPI_Barrier(c); }\n\
        else { MPI_Comm_size(c, &n); for (int i = 0; i < n; i++) MPI_Barrier(c); }";
    let context = Context::with_budget(3_000_000).expect("there is room");
    let found = extract(&program(body), &context).expect("it is followed");
    for np in 1..9 {
        let with = BTreeMap::from([("np".to_owned(), np)]);
        let known = found.program.known().fix_parameters(&with).expect("np is a parameter");
        assert!(!known.is_empty().expect("it is small"), "np = {np}");
    }
    // All are told a half of a number, or two numbers at once.
    for (before, datatype) in
        [("int k[2] = {rank, rank};", "MPI_LONG"), ("int k[2] = {rank, rank};", "MPI_SHORT")]
    {
        not_decided(&format!(
            "{before} MPI_Bcast(k, 1, {datatype}, 0, MPI_COMM_WORLD); if (k[0] == 0 && k[1] == 0) MPI_Barrier(MPI_COMM_WORLD);"
        ));
    }
}
