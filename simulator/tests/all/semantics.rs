//! The simulator against what the MPI standard says, in small programs.

use simulator::parse::parse;
use simulator::{Ended, FailureKind, Order, Outcome, Setting, compile, run};

/// Runs the body of a `main` that has `rank`, `size` and some variables. The first line of the body is line 10.
fn ran(body: &str, np: usize, buffered: bool, order: Order) -> Outcome {
    let text = format!(
        "#include <mpi.h>\n\nint main(void)\n{{\nint rank, size, i, x[8] = {{0}}, y[8] = {{0}};\nMPI_Status s;\n\
         MPI_Init(NULL, NULL);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\n\
         {body}\nMPI_Finalize();\nreturn 0;\n}}\n"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    run(&compile(&program).unwrap(), Setting { np, buffered, order })
}

fn in_turn(body: &str, np: usize) -> Outcome {
    ran(body, np, true, Order::InTurn)
}

/// Lines of the sends and receives that met, and tags.
fn met(outcome: &Outcome) -> Vec<(u32, u32, i64)> {
    outcome.messages.iter().map(|m| (m.send_line, m.recv_line, m.tag)).collect()
}

#[test]
fn messages_of_one_sender_do_not_overtake_each_other() {
    let body = "if (rank == 0) {
        MPI_Send(x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(x, 2, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(x, 3, MPI_INT, 1, 6, MPI_COMM_WORLD);
    } else {
        MPI_Recv(y, 3, MPI_INT, 0, 6, MPI_COMM_WORLD, &s);
        MPI_Recv(y, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        MPI_Recv(y, 2, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &s);
    }";
    for order in (0..20).map(Order::Random).chain([Order::InTurn]) {
        let outcome = ran(body, 2, true, order);
        assert!(outcome.is_right(), "{outcome:?}");
        assert_eq!(met(&outcome), [(11, 16, 5), (12, 17, 5), (13, 15, 6)]);
    }
    // The third is received first: without buffering the first waits.
    assert!(matches!(ran(body, 2, false, Order::InTurn).ended, Ended::Hang(_)));
}

#[test]
fn wildcards_take_any_of_the_messages() {
    let body = "if (rank == 0) {
        MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
        i = s.MPI_SOURCE;
        MPI_Recv(y, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
        MPI_Send(x, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
        MPI_Send(x, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &s);
    }";
    let first = |seed| {
        let outcome = ran(body, 3, true, Order::Random(seed));
        assert!(outcome.is_right(), "{outcome:?}");
        outcome.messages.iter().find(|m| m.recv_line == 11).map(|m| m.from)
    };
    let seen: std::collections::BTreeSet<_> = (0..40).map(first).collect();
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [Some(1), Some(2)]);
}

#[test]
fn a_message_that_is_too_long_is_an_error_and_a_shorter_one_is_not() {
    let body = "if (rank == 0) { MPI_Send(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD); }
        else { MPI_Recv(y, SIZE, MPI_INT, 0, 0, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_INT, &i);
        MPI_Send(x, i, MPI_INT, 0, 0, MPI_COMM_WORLD); }
        if (rank == 0) { MPI_Recv(x, 3, MPI_INT, 1, 0, MPI_COMM_WORLD, &s); }";
    let outcome = in_turn(&body.replace("SIZE", "5"), 2);
    assert!(outcome.is_right(), "{outcome:?}");
    assert!(outcome.messages.iter().all(|m| (m.count, m.bytes) == (3, 12)));
    let Ended::Failed(failure) = in_turn(&body.replace("SIZE", "2"), 2).ended else { panic!("it fails") };
    assert_eq!((failure.kind, failure.at.rank, failure.at.line), (FailureKind::Truncation, 1, 11));
}

#[test]
fn only_buffers_let_two_sends_pass_each_other() {
    let body = "MPI_Send(x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
        MPI_Recv(y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &s);";
    assert!(in_turn(body, 2).is_right());
    let Ended::Hang(places) = ran(body, 2, false, Order::InTurn).ended else { panic!("it hangs") };
    assert_eq!(places.iter().map(|p| (p.rank, p.line)).collect::<Vec<_>>(), [(0, 10), (1, 10)]);
    assert!(matches!(in_turn(&body.replace("MPI_Send", "MPI_Ssend"), 2).ended, Ended::Hang(_)));
    let sendrecv =
        "MPI_Sendrecv(x, 1, MPI_INT, 1 - rank, 0, y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &s);";
    assert!(ran(sendrecv, 2, false, Order::InTurn).is_right());
}

#[test]
fn all_members_are_in_the_same_collective() {
    let outcome = in_turn("if (rank != 1) { MPI_Barrier(MPI_COMM_WORLD); }", 3);
    let Ended::Hang(places) = outcome.ended else { panic!("it hangs") };
    assert_eq!(places.iter().map(|p| p.rank).collect::<Vec<_>>(), [0, 2]);
    let kind = |body: &str| match in_turn(body, 2).ended {
        Ended::Failed(failure) => failure.kind,
        other => panic!("{other:?}"),
    };
    let other =
        "if (rank) { MPI_Barrier(MPI_COMM_WORLD); } else { MPI_Bcast(x, 1, MPI_INT, 0, MPI_COMM_WORLD); }";
    assert_eq!(kind(other), FailureKind::CollectiveMismatch);
    assert_eq!(kind("MPI_Bcast(x, 1, MPI_INT, rank, MPI_COMM_WORLD);"), FailureKind::RootMismatch);
    assert_eq!(kind("MPI_Bcast(x, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);"), FailureKind::LengthMismatch);
    assert_eq!(kind("MPI_Bcast(x, 1, MPI_INT, 2, MPI_COMM_WORLD);"), FailureKind::Argument);
}

#[test]
fn collectives_move_data() {
    let body = "x[0] = rank + 1;
        MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (y[0] != size * (size + 1) / 2) { MPI_Abort(MPI_COMM_WORLD, 1); }
        MPI_Exscan(x, y + 1, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank > 0 && y[1] != rank * (rank + 1) / 2) { MPI_Abort(MPI_COMM_WORLD, 1); }
        MPI_Allgather(x, 1, MPI_INT, y, 1, MPI_INT, MPI_COMM_WORLD);
        for (i = 0; i < size; i++) { if (y[i] != i + 1) { MPI_Abort(MPI_COMM_WORLD, 1); } }
        MPI_Alltoall(y, 1, MPI_INT, x, 1, MPI_INT, MPI_COMM_WORLD);
        for (i = 0; i < size; i++) { if (x[i] != rank + 1) { MPI_Abort(MPI_COMM_WORLD, 1); } }
        if (rank == 1) { x[0] = 7; }
        MPI_Bcast(x, 1, MPI_INT, 1, MPI_COMM_WORLD);
        if (x[0] != 7) { MPI_Abort(MPI_COMM_WORLD, 1); }";
    let outcome = in_turn(body, 4);
    assert!(outcome.is_right(), "{outcome:?}");
    let roots: Vec<_> = outcome.collectives.iter().map(|c| (c.operation.as_str(), c.root)).collect();
    assert!(roots.contains(&("MPI_Bcast", Some(1))), "{roots:?}");
}

#[test]
fn parts_are_ordered_by_their_keys() {
    let body = "MPI_Comm part; int r, n, d[1] = {3}, p[1] = {1};
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
        MPI_Comm_rank(part, &r); MPI_Comm_size(part, &n);
        if (r == 0) { MPI_Send(x, 1, MPI_INT, n - 1, 0, part); }
        if (r == n - 1) { MPI_Recv(x, 1, MPI_INT, 0, 0, part, &s); }
        MPI_Comm_free(&part);
        MPI_Cart_create(MPI_COMM_WORLD, 1, d, p, 0, &part);
        if (part != MPI_COMM_NULL) { MPI_Cart_shift(part, 0, 1, &r, &n);
        MPI_Sendrecv(x, 1, MPI_INT, n, 0, y, 1, MPI_INT, r, 0, part, &s); }";
    let outcome = in_turn(body, 5);
    assert!(outcome.is_right(), "{outcome:?}");
    let pairs: Vec<_> = outcome.messages.iter().map(|m| (m.from, m.to)).collect();
    assert_eq!(pairs, [(0, 1), (1, 2), (2, 0), (3, 1), (4, 0)]);
}

#[test]
fn probes_tell_what_is_received_next() {
    let body = "int flag = 0; MPI_Message m;
        if (rank == 0) {
        MPI_Send(x, 4, MPI_INT, 1, 9, MPI_COMM_WORLD);
        MPI_Send(x, 2, MPI_INT, 1, 8, MPI_COMM_WORLD);
        } else {
        MPI_Mprobe(0, 9, MPI_COMM_WORLD, &m, &s);
        while (!flag) { MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &s); }
        MPI_Get_count(&s, MPI_INT, &i);
        MPI_Recv(y, i, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, MPI_COMM_WORLD, &s);
        MPI_Mrecv(y, 4, MPI_INT, &m, &s);
        MPI_Get_count(&s, MPI_INT, &i);
        if (i != 4) { MPI_Abort(MPI_COMM_WORLD, 1); }
        }";
    let outcome = in_turn(body, 2);
    assert!(outcome.is_right(), "{outcome:?}");
    assert_eq!(met(&outcome), [(12, 19, 9), (13, 18, 8)]);
}

#[test]
fn persistent_and_partitioned_operations_are_started_again() {
    let body = "MPI_Request r[2];
        if (rank == 0) { MPI_Send_init(x, 2, MPI_INT, 1, 3, MPI_COMM_WORLD, &r[0]); }
        else { MPI_Recv_init(y, 2, MPI_INT, 0, 3, MPI_COMM_WORLD, &r[0]); }
        if (rank == 1) { MPI_Psend_init(x, 2, 3, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]); }
        else { MPI_Precv_init(y, 2, 3, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]); }
        for (i = 0; i < 3; i++) {
        MPI_Startall(2, r);
        if (rank == 1) { MPI_Pready(1, r[1]); MPI_Pready(0, r[1]); }
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&r[0]);
        MPI_Request_free(&r[1]);";
    for buffered in [true, false] {
        let outcome = ran(body, 2, buffered, Order::InTurn);
        assert!(outcome.is_right(), "{outcome:?}");
        let counts: Vec<_> =
            outcome.message_counts().into_iter().map(|(m, n)| (m.from, m.send_line, m.count, n)).collect();
        assert_eq!(counts, [(0, 11, 2, 3), (1, 13, 6, 3)]);
    }
    let without = body.replace("MPI_Pready(0, r[1]);", "");
    assert!(matches!(in_turn(&without, 2).ended, Ended::Hang(_)));
}

#[test]
fn what_is_left_over_is_told() {
    let outcome = in_turn(
        "MPI_Request r;
        if (rank == 0) { MPI_Send(x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); }
        if (rank == 1) { MPI_Irecv(y, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &r); }
        if (rank == 1) { MPI_Isend(y, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &r); }",
        2,
    );
    assert_eq!(outcome.ended, Ended::Finished);
    let lines = |places: &[simulator::Place]| places.iter().map(|p| (p.rank, p.line)).collect::<Vec<_>>();
    assert_eq!(lines(&outcome.unreceived), [(0, 11)]);
    assert_eq!(lines(&outcome.unserved), [(1, 12)]);
    assert_eq!(lines(&outcome.unwaited), [(1, 12), (1, 13)]);
}

#[test]
fn waiting_for_any_takes_what_is_there() {
    let body = "MPI_Request r[2]; int k;
        if (rank == 0) {
        MPI_Irecv(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(y, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Waitany(2, r, &k, &s);
        MPI_Send(x, 1, MPI_INT, 3 - s.MPI_SOURCE, 1, MPI_COMM_WORLD);
        MPI_Waitany(2, r, &k, &s);
        MPI_Waitany(2, r, &k, &s);
        if (k != MPI_UNDEFINED) { MPI_Abort(MPI_COMM_WORLD, 1); }
        } else {
        if (rank == 1) { MPI_Recv(x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &s); }
        MPI_Send(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }";
    for seed in 0..10 {
        let outcome = ran(body, 3, false, Order::Random(seed));
        assert!(outcome.is_right(), "{outcome:?}");
    }
}

#[test]
fn asking_for_ever_is_waiting_for_ever() {
    let body = "MPI_Request r; int flag = 0;
        MPI_Irecv(y, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &r);
        while (!flag) { MPI_Test(&r, &flag, &s); }";
    for order in [Order::InTurn, Order::Random(3)] {
        assert!(matches!(ran(body, 2, true, order).ended, Ended::Hang(places) if places.len() == 2));
    }
}

#[test]
fn derived_datatypes_have_the_bytes_of_their_elements() {
    let body = "MPI_Datatype column; double m[12], n[12];
        for (i = 0; i < 12; i++) { m[i] = i; n[i] = 0; }
        MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        MPI_Sendrecv(m + 1, 1, column, rank, 0, n, 3, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, &s);
        if (n[0] != 1 || n[1] != 5 || n[2] != 9) { MPI_Abort(MPI_COMM_WORLD, 1); }
        MPI_Type_free(&column);";
    let outcome = in_turn(body, 1);
    assert!(outcome.is_right(), "{outcome:?}");
    assert_eq!((outcome.messages[0].count, outcome.messages[0].bytes), (1, 24));
    let Ended::Failed(failure) = in_turn(&body.replace("MPI_Type_commit(&column);", ""), 1).ended else {
        panic!("it fails")
    };
    assert_eq!(failure.kind, FailureKind::Argument);
}

#[test]
fn what_c_does_not_define_is_told() {
    for body in [
        "int u; x[u] = 1;",
        "x[8] = 1;",
        "x[0] = 1 / x[1];",
        "free(x);",
        "int *p; p = malloc(4); i = p[0] + 1;",
    ] {
        let Ended::Failed(failure) = in_turn(body, 1).ended else { panic!("{body} fails") };
        assert_eq!(failure.kind, FailureKind::Undefined, "{body}");
    }
}

#[test]
fn statements_of_c_do_what_they_do() {
    let body = "int sum = 0;
        switch (size) { case 0: sum = 100; case 1: sum += 1; case 2: sum += 2; break; default: sum = 50; }
        for (i = 0; ; i++) { if (i == 2) { continue; } if (i == 5) { break; } sum += i; }
        do { sum *= 2; } while (sum < 20);
        goto over;
        sum = 0;
        over:
        while (1) { if (sum > 30) { break; } sum += 3; }
        if (sum != (size == 1 ? 32 : 0) || !(7 & 3 ^ 1 << 1)) { MPI_Abort(MPI_COMM_WORLD, 1); }";
    // 3 + 0 + 1 + 3 + 4 = 11, 22, 31.
    let outcome = in_turn(&body.replace("32", "31"), 1);
    assert!(outcome.is_right(), "{outcome:?}");
}
