//! Grids of processes: what is said for any width is compared with what is said of the same program with a constant one.

use std::collections::BTreeMap;

use extraction::{Assumption, Extracted, decide, extract};
use model::{Clock, check};
use presburger::Context;

use crate::program;

/// Numbers of processes that are compared, at most.
const MOST: i64 = 9;

fn extracted(body: &str) -> Extracted {
    let context = Context::with_budget(30_000_000).expect("there is room");
    extract(&program(body), &context).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// Messages by sender, receiver and tag.
fn messages(found: &Extracted, np: i64, others: &BTreeMap<String, i64>) -> Vec<(i64, i64, Option<i64>)> {
    let matching = found.program.matching().expect("it is decided");
    assert!(matching.is_whole().expect("it is small"));
    let values = found.values(np, others);
    let all = found.messages(&matching, &values, 10_000).expect("it is small");
    let mut all: Vec<(i64, i64, Option<i64>)> =
        all.iter().map(|message| (message.from, message.to, message.tag)).collect();
    all.sort_unstable();
    let run = check::run(&found.program, &values, false).expect("it is small");
    assert!(run.ends && run.sends_left.is_empty() && !run.differs, "at {values:?}");
    all
}

/// The program says the same with widths that nobody knows and with each of these numbers instead: `unknown` and `known` are what comes
/// first. `choices` are values of parameters by names that the program gives them, for so many processes.
fn same(
    body: &str,
    unknown: &str,
    known: &dyn Fn(&[i64]) -> String,
    names: &[&str],
    choices: &dyn Fn(i64) -> Vec<Vec<i64>>,
) -> Option<Clock> {
    let found = extracted(&format!("{unknown}\n{body}"));
    assert!(found.digits.is_some(), "{unknown} {body}");
    let matching = found.program.matching().expect("it is decided");
    let together = found.program.collectives().expect("it is small").expect("they agree");
    let clock = found.program.clock(&matching, &together, false).expect("it is small");
    let mut compared = 0;
    let mut constant: BTreeMap<Vec<i64>, Extracted> = BTreeMap::new();
    for np in 1..=MOST {
        for choice in choices(np) {
            let given: BTreeMap<&str, i64> = names.iter().copied().zip(choice.iter().copied()).collect();
            let others = found
                .names
                .iter()
                .map(|(parameter, name)| (parameter.clone(), given.get(name.as_str()).copied().unwrap_or(3)));
            let said = messages(&found, np, &others.collect());
            let text = format!("{}\n{body}", known(&choice));
            let constant = constant.entry(choice.clone()).or_insert_with(|| extracted(&text));
            assert_eq!(said, messages(constant, np, &BTreeMap::new()), "{body}: np = {np}, {choice:?}");
            compared += said.len();
        }
    }
    assert!(compared > 0, "nothing is compared");
    clock
}

/// A width that the command line gives and that divides the number of processes.
fn of_width(body: &str) -> Option<Clock> {
    let rest = "if (q < 1 || np % q != 0) { MPI_Finalize(); return 1; }\n\
                int row = rank / q, col = rank % q, p = np / q;";
    same(
        body,
        &format!("int q = atoi(argv[1]); {rest}"),
        &|choice| format!("int q = {}; {rest}", choice[0]),
        &["q"],
        &|_| (1..=4).map(|q| vec![q]).collect(),
    )
}

#[test]
fn halo_of_any_width() {
    let clock = of_width(
        "int up = row > 0 ? rank - q : MPI_PROC_NULL, down = row < p - 1 ? rank + q : MPI_PROC_NULL;\n\
         int left = col > 0 ? rank - 1 : MPI_PROC_NULL, right = col + 1 < q ? rank + 1 : MPI_PROC_NULL;\n\
         for (int k = 0; k < 3; k++) {\n\
         MPI_Sendrecv(a, 1, MPI_INT, up, 1, b, 1, MPI_INT, down, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         MPI_Sendrecv(a, 1, MPI_INT, left, 2, b, 1, MPI_INT, right, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         }",
    );
    assert_eq!(clock, Some(Clock::Text));
}

#[test]
fn torus_and_ring_of_any_width() {
    of_width(
        "MPI_Sendrecv(a, 1, MPI_INT, (row + 1) % p * q + col, 1, b, 1, MPI_INT, (row + p - 1) % p * q + col, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         MPI_Sendrecv(a, 1, MPI_INT, row * q + (col + 1) % q, 2, b, 1, MPI_INT, row * q + (col + q - 1) % q, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         MPI_Sendrecv(a, 1, MPI_INT, (rank + 1) % np, 3, b, 1, MPI_INT, (rank - 1 + np) % np, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn wave_and_gather_of_any_width() {
    let clock = of_width(
        "if (row > 0) MPI_Recv(b, 1, MPI_INT, rank - q, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (col > 0) MPI_Recv(b, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (row < p - 1) MPI_Send(a, 1, MPI_INT, rank + q, 0, MPI_COMM_WORLD);\n\
         if (col < q - 1) MPI_Send(a, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);\n\
         if (rank == 0) for (int k = 1; k < np; k++) MPI_Recv(b, 1, MPI_INT, k, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         else MPI_Send(a, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);",
    );
    assert_eq!(clock, Some(Clock::Process(vec![1, 1], 0)));
}

#[test]
fn rows_and_columns_of_any_width() {
    of_width(
        "MPI_Comm rows, columns; int r, s;\n\
         MPI_Comm_split(MPI_COMM_WORLD, row, rank, &rows); MPI_Comm_split(MPI_COMM_WORLD, col, rank, &columns);\n\
         MPI_Comm_rank(columns, &r); MPI_Comm_size(columns, &s);\n\
         MPI_Bcast(a, 1, MPI_INT, 0, rows);\n\
         MPI_Sendrecv(a, 1, MPI_INT, (r + 1) % s, 1, b, 1, MPI_INT, (r + s - 1) % s, 1, columns, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn neighbours_of_any_width_in_arrays() {
    of_width(
        "int to[2], from[2];\n\
         to[0] = row > 0 ? rank - q : MPI_PROC_NULL; from[0] = row < p - 1 ? rank + q : MPI_PROC_NULL;\n\
         to[1] = col > 0 ? rank - 1 : MPI_PROC_NULL; from[1] = col < q - 1 ? rank + 1 : MPI_PROC_NULL;\n\
         for (int d = 0; d < 2; d++)\n\
         MPI_Sendrecv(a, 1, MPI_INT, to[d], d, b, 1, MPI_INT, from[d], d, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn ranks_the_other_way_round() {
    let clock = of_width(
        "MPI_Comm back; int r; MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back); MPI_Comm_rank(back, &r);\n\
         row = r / q; col = r % q;\n\
         if (row > 0) MPI_Recv(b, 1, MPI_INT, r - q, 0, back, MPI_STATUS_IGNORE);\n\
         if (col > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 0, back, MPI_STATUS_IGNORE);\n\
         if (row < p - 1) MPI_Send(a, 1, MPI_INT, r + q, 0, back);\n\
         if (col < q - 1) MPI_Send(a, 1, MPI_INT, r + 1, 0, back);",
    );
    assert!(matches!(clock, Some(Clock::Process(..) | Clock::Rank(..))), "{clock:?}");
}

#[test]
fn numbers_beside_widths() {
    // Which digits 3 has depends on the width.
    of_width(
        "if (col > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);\n\
         if (col < q - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank < 3 && rank + 3 < np) MPI_Send(a, 1, MPI_INT, rank + 3, 2, MPI_COMM_WORLD);\n\
         if (rank >= 3 && rank < 6) MPI_Recv(b, 1, MPI_INT, rank - 3, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank % 2 == 1) MPI_Send(a, 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD);\n\
         if (rank % 2 == 0 && rank + 1 < np) MPI_Recv(b, 1, MPI_INT, rank + 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn memory_at_places_that_have_digits() {
    // What is read and written there is not known; the rest is.
    of_width(
        "int *all = calloc(2 * np, sizeof(int)); MPI_Alltoall(all, 1, MPI_INT, all + np, 1, MPI_INT, MPI_COMM_WORLD);\n\
         a[row * q] = 1; b[0] = a[rank - col];\n\
         if (col > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
         if (col < q - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
}

#[test]
fn last_row_is_not_full() {
    // Nothing says that the width divides the number of processes.
    let rest = "if (q < 1) { MPI_Finalize(); return 1; } int col = rank % q;";
    same(
        "if (col > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
         if (col < q - 1 && rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (rank >= q) MPI_Send(a, 1, MPI_INT, rank - q, 1, MPI_COMM_WORLD);\n\
         if (rank + q < np) MPI_Recv(b, 1, MPI_INT, rank + q, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        &format!("int q = atoi(argv[1]); {rest}"),
        &|choice| format!("int q = {}; {rest}", choice[0]),
        &["q"],
        &|_| (1..=4).map(|q| vec![q]).collect(),
    );
}

#[test]
fn space_of_any_widths() {
    let rest = "if (x < 1 || y < 1 || np % (x * y) != 0) { MPI_Finalize(); return 1; }\n\
                int i = rank % x, j = rank / x % y, k = rank / (x * y), z = np / (x * y);";
    same(
        "if (i > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
         if (i < x - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (j > 0) MPI_Send(a, 1, MPI_INT, rank - x, 1, MPI_COMM_WORLD);\n\
         if (j < y - 1) MPI_Recv(b, 1, MPI_INT, rank + x, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (k > 0) MPI_Send(a, 1, MPI_INT, rank - x * y, 2, MPI_COMM_WORLD);\n\
         if (k < z - 1) MPI_Recv(b, 1, MPI_INT, rank + x * y, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
        &format!("int x = atoi(argv[1]), y = atoi(argv[2]); {rest}"),
        &|choice| format!("int x = {}, y = {}; {rest}", choice[0], choice[1]),
        &["x", "y"],
        &|_| vec![vec![1, 2], vec![2, 1], vec![2, 2], vec![3, 1], vec![2, 3]],
    );
}

fn root(np: i64) -> i64 {
    (1..=np).take_while(|width| width * width <= np).last().unwrap_or(0)
}

#[test]
fn widths_that_a_loop_finds() {
    let rest = "if (rank < q * q) { int row = rank / q, col = rank % q, mirror = col * q + row;\n\
                MPI_Sendrecv(a, 1, MPI_INT, mirror, 0, b, 1, MPI_INT, mirror, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                if (col > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);\n\
                if (col + 1 < q) MPI_Recv(b, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }";
    // The loop ends at the root of np, and the parameter is that width.
    same(
        rest,
        "int q = 1; while ((q + 1) * (q + 1) <= np) q++;",
        &|choice| {
            let q = choice[0];
            let next = (q + 1) * (q + 1);
            format!("int q = {q}; if (np < {} || np >= {next}) {{ MPI_Finalize(); return 1; }}", q * q)
        },
        &["q"],
        &|np| vec![vec![root(np)]],
    );
}

#[test]
fn widths_that_are_the_same_for_all() {
    // Which number it is, is not known.
    same(
        "int rows = np / q; if (rank < rows * q) { int row = rank / q;\n\
         if (row > 0) MPI_Send(a, 1, MPI_INT, rank - q, 1, MPI_COMM_WORLD);\n\
         if (row + 1 < rows) MPI_Recv(b, 1, MPI_INT, rank + q, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }",
        "int q = 1; for (int d = 1; d < np; d++) q = (q * 31 + d) % 11 + 1;",
        &|choice| format!("int q = {};", choice[0]),
        &["q"],
        &|np| (1..=np.min(4)).map(|q| vec![q]).collect(),
    );
}

fn grid(body: &str, periodic: [u8; 2]) -> Option<Clock> {
    let [x, y] = periodic;
    let rest = format!(
        "int periods[2] = {{{x}, {y}}}; MPI_Comm cart;\n\
         MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);"
    );
    same(
        body,
        &format!("int dims[2] = {{0, 0}}; MPI_Dims_create(np, 2, dims); {rest}"),
        &|choice| {
            let [rows, columns] = [choice[0], choice[1]];
            let is_it = format!("if (np != {}) {{ MPI_Finalize(); return 1; }}", rows * columns);
            format!("int dims[2] = {{{rows}, {columns}}}; {is_it} {rest}")
        },
        &["dim_0_of_2(np)", "dim_1_of_2(np)"],
        &|np| {
            let columns = (1..=np).filter(|columns| np % columns == 0 && columns * columns <= np);
            columns.map(|columns| vec![np / columns, columns]).collect()
        },
    )
}

#[test]
fn shifts_in_grids() {
    let body = "int lo[2], hi[2];\n\
                for (int d = 0; d < 2; d++) MPI_Cart_shift(cart, d, 1, &lo[d], &hi[d]);\n\
                for (int d = 0; d < 2; d++)\n\
                MPI_Sendrecv(a, 1, MPI_INT, lo[d], d, b, 1, MPI_INT, hi[d], d, cart, MPI_STATUS_IGNORE);";
    // One direction ends, and one goes round.
    assert_eq!(grid(body, [0, 1]), Some(Clock::Text));
}

#[test]
fn grids_made_in_rounds() {
    let body = "for (int k = 0; k < 2; k++) if (np > 1) {\n\
                int dims[2] = {np / 2, 2}, periods[2] = {0, 0}, left, right; MPI_Comm cart;\n\
                MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);\n\
                if (cart != MPI_COMM_NULL) {\n\
                MPI_Cart_shift(cart, 1, 1, &left, &right);\n\
                MPI_Sendrecv(a, 1, MPI_INT, right, 0, b, 1, MPI_INT, left, 0, cart, MPI_STATUS_IGNORE);\n\
                MPI_Comm_free(&cart); } }";
    let found = extracted(body);
    for np in 1..8 {
        let others = BTreeMap::from([("number".to_owned(), np / 2)]);
        let all = messages(&found, np, &others);
        let pairs: Vec<(i64, i64)> = all.iter().map(|(from, to, _)| (*from, *to)).collect();
        let expected: Vec<(i64, i64)> = (0..np / 2).flat_map(|row| [(2 * row, 2 * row + 1); 2]).collect();
        assert_eq!(pairs, expected, "np = {np}");
    }
}

#[test]
fn parts_of_grids() {
    grid(
        "int keep[2] = {0, 1}, r, s, c[2], up[2], dest; MPI_Comm row;\n\
         MPI_Cart_coords(cart, rank, 2, c); MPI_Cart_sub(cart, keep, &row);\n\
         MPI_Comm_rank(row, &r); MPI_Comm_size(row, &s);\n\
         if (r > 0) MPI_Send(a, 1, MPI_INT, 0, 0, row);\n\
         else for (int k = 1; k < s; k++) MPI_Recv(b, 1, MPI_INT, k, 0, row, MPI_STATUS_IGNORE);\n\
         up[0] = c[0] - 1; up[1] = c[1];\n\
         if (c[0] > 0) { MPI_Cart_rank(cart, up, &dest); MPI_Send(a, 1, MPI_INT, dest, 1, cart); }\n\
         up[0] = c[0] + 1;\n\
         if (c[0] < dims[0] - 1) { MPI_Cart_rank(cart, up, &dest); MPI_Recv(b, 1, MPI_INT, dest, 1, cart, MPI_STATUS_IGNORE); }",
        [0, 1],
    );
}

#[test]
fn what_is_assumed_of_grids() {
    let assumed = |width: &str| {
        let body = "if (rank % q > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD);\n\
                    if (rank % q < q - 1 && rank < np - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
        extracted(&format!("{width}\n{body}")).assumptions
    };
    // What the command line says is the same for all, if that is.
    let argument = "int q = atoi(argv[1]); if (q < 1) { MPI_Finalize(); return 1; }";
    assert_eq!(assumed(argument), [Assumption::CommandLine]);
    // What follows from np needs no assumption.
    assert_eq!(assumed("int d[2] = {0, 0}; MPI_Dims_create(np, 2, d); int q = d[1];"), []);
    assert_eq!(assumed("int q = 1; while ((q + 1) * (q + 1) <= np) q++;"), []);
    let cart = "int d[2], p[2] = {0, 0}, q = 1; for (int i = 1; i < np; i++) q = (q * 31 + i) % 11 + 1;\n\
                MPI_Comm cart; d[0] = np / q; d[1] = q; MPI_Cart_create(MPI_COMM_WORLD, 2, d, p, 1, &cart);";
    let said = assumed(cart);
    assert!(said.iter().any(|assumption| matches!(assumption, Assumption::GridFits(..))), "{said:?}");
    assert!(said.iter().any(|assumption| matches!(assumption, Assumption::KeepsOrder(..))), "{said:?}");
}

#[test]
fn what_is_said_of_grids() {
    let found = extracted(
        "int q = atoi(argv[1]); if (q < 1 || np % q != 0) { MPI_Finalize(); return 1; }\n\
         int row = rank / q, col = rank % q, p = np / q;\n\
         if (row > 0) MPI_Send(a, 1, MPI_INT, rank - q, 0, MPI_COMM_WORLD);\n\
         if (row < p - 1) MPI_Recv(b, 1, MPI_INT, rank + q, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         if (col > 0) MPI_Send(a, 1, MPI_INT, rank - 1, 1, MPI_COMM_WORLD);\n\
         if (col < q - 1) MPI_Recv(b, 1, MPI_INT, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    let matching = found.program.matching().expect("it is decided");
    let told: Vec<String> = matching
        .exchanges(&found.program)
        .expect("it is small")
        .iter()
        .map(|exchange| {
            format!(
                "{} to {}; {} from {}",
                exchange.senders, exchange.partner, exchange.receivers, exchange.source
            )
        })
        .collect();
    let named: Vec<String> = told
        .iter()
        .map(|text| {
            found
                .names
                .iter()
                .fold(text.clone(), |text, (parameter, name)| text.replace(parameter.as_str(), name))
        })
        .collect();
    assert_eq!(
        named,
        [
            "[q..np-1] for (np % q) = 0 and p >= 2 to rank - q; \
             [0..np-q-1] for (np % q) = 0 and p >= 2 from rank + q",
            "{i*q + j: i in [0..p-1], j in [1..q-1]} for q >= 2 and (np % q) = 0 to rank - 1; \
             {i*q + j: i in [0..p-1], j in [0..q-2]} for q >= 2 and (np % q) = 0 from rank + 1",
        ]
    );
}

#[test]
fn neighbours_of_grids_in_arrays() {
    let body = "int all[4]; MPI_Request q[8];\n\
                for (int d = 0; d < 2; d++) MPI_Cart_shift(cart, d, 1, &all[2 * d], &all[2 * d + 1]);\n\
                for (int i = 0; i < 4; i++) {\n\
                MPI_Isend(a, 1, MPI_INT, all[i], 1, cart, &q[i]);\n\
                MPI_Irecv(b, 1, MPI_INT, all[i], 1, cart, &q[i + 4]); }\n\
                MPI_Waitall(8, q, MPI_STATUSES_IGNORE);";
    assert_eq!(grid(body, [0, 0]), Some(Clock::Text));
    // What is read in a round is not what is read in another one.
    let rounds = "int dims[2] = {0, 0}, periods[2] = {0, 0}, all[3]; MPI_Comm cart; MPI_Dims_create(np, 2, dims);\n\
                   MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);\n\
                   MPI_Cart_shift(cart, 1, 1, &all[0], &all[1]); all[2] = MPI_PROC_NULL;\n\
                   for (int i = 0; i < 3; i++) { if (argv[1 + i][0] == 'x') continue; MPI_Request q[2];\n\
                   MPI_Isend(a, 1, MPI_INT, all[i], 1, cart, &q[0]);\n\
                   MPI_Irecv(b, 1, MPI_INT, all[i], 1, cart, &q[1]);\n\
                   MPI_Waitall(2, q, MPI_STATUSES_IGNORE); }";
    let context = Context::with_budget(5_000_000).expect("there is room");
    let decided = |text: &str| decide(&program(text), &context, 10_000_000, 10_000_000).is_ok();
    assert!(!decided(rounds));
    context.set_budget(Some(5_000_000));
    assert!(decided(&rounds.replace("argv[1 + i][0] == 'x'", "0")));
}
