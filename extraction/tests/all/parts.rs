//! Sections that are followed by the processes of one communicator, whichever these are.

use std::collections::BTreeMap;

use extraction::Section;
use model::check;

use crate::powers::within;

const MADE: &str = "MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);";
const BUDGET: u64 = 5_000_000;

/// Sections of a program; those that are about a part of the processes are right by the definition in parts of any size.
fn decided(body: &str) -> Vec<Section> {
    let sections = within(body, BUDGET).unwrap_or_else(|error| panic!("{body}: {error}"));
    for Section { found, part_of, .. } in &sections {
        if part_of.is_none() || !found.multiplied.is_empty() || found.program.has_options() {
            continue;
        }
        for size in 1..=7 {
            for number in 1..=3 {
                let names = found.program.known().parameters().expect("it is small");
                let others: BTreeMap<String, i64> = names.into_iter().map(|name| (name, number)).collect();
                let values = found.values(size, &others);
                let known = found.program.known().fix_parameters(&values).expect("it is small");
                if !known.is_empty().expect("it is small") {
                    let run = check::run(&found.program, &values, false).expect("it is small");
                    assert!(run.ends && run.sends_left.is_empty() && !run.differs, "{body}: at {values:?}");
                }
            }
        }
    }
    sections
}

fn is_by_part(sections: &[Section]) -> bool {
    sections.iter().any(|section| section.part_of.is_some())
}

fn not_decided(body: &str) {
    let sections = within(body, BUDGET);
    assert!(sections.is_err(), "{body}");
}

fn split(colour: &str, body: &str) -> String {
    format!(
        "MPI_Comm c; int r, n; MPI_Comm_split(MPI_COMM_WORLD, {colour}, 0, &c); {MADE} {body} MPI_Comm_free(&c); MPI_Barrier(MPI_COMM_WORLD);"
    )
}

const CHAIN: &str = "if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 0, c, MPI_STATUS_IGNORE);\n\
    if (r < n - 1) MPI_Send(a, 1, MPI_INT, r + 1, 0, c);";

#[test]
fn whatever_processes_a_communicator_has() {
    for body in [
        CHAIN.to_owned(),
        format!("for (int t = 0; t < 3; t++) {{ {CHAIN} }}"),
        format!("for (int t = 0; t < argc; t++) {{ {CHAIN} MPI_Barrier(c); }}"),
        // Numbers that loops find out of the size.
        "int w = 1; for (int d = 1; d * d <= n; d++) if (n % d == 0) w = d;\n\
         if (r % w > 0) MPI_Send(a, 1, MPI_INT, r - 1, 0, c); if (r % w < w - 1) MPI_Recv(b, 1, MPI_INT, r + 1, 0, c, MPI_STATUS_IGNORE);".to_owned(),
        "for (int m = 1; m < n; m *= 2) { int p = r ^ m; if (p < n) MPI_Sendrecv(a, 1, MPI_INT, p, 0, b, 1, MPI_INT, p, 0, c, MPI_STATUS_IGNORE); }".to_owned(),
        "if (r == 0) for (int i = 1; i < n; i++) MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, c, MPI_STATUS_IGNORE); else MPI_Send(a, 1, MPI_INT, 0, 1, c);".to_owned(),
        // Grids and parts of the part.
        "int d[2] = {0, 0}, z[2] = {1, 1}, low, high; MPI_Comm g; MPI_Dims_create(n, 2, d); MPI_Cart_create(c, 2, d, z, 0, &g);\n\
         MPI_Cart_shift(g, 1, 1, &low, &high); MPI_Sendrecv(a, 1, MPI_INT, high, 0, b, 1, MPI_INT, low, 0, g, MPI_STATUS_IGNORE); MPI_Comm_free(&g);".to_owned(),
        "MPI_Comm h; int s, m; MPI_Comm_split(c, r % 2, r, &h); MPI_Comm_rank(h, &s); MPI_Comm_size(h, &m);\n\
         MPI_Sendrecv(a, 1, MPI_INT, (s + 1) % m, 0, b, 1, MPI_INT, (s + m - 1) % m, 0, h, MPI_STATUS_IGNORE); MPI_Comm_free(&h);".to_owned(),
    ] {
        // Nobody knows who is in which part.
        for colour in ["a[0]", "rank % 5 + (a[0] > 3)"] {
            let body = split(colour, &body);
            assert!(is_by_part(&decided(&body)), "{body}");
        }
        // Sizes differ between the parts.
        decided(&split("rank % 2", &body));
    }
}

#[test]
fn what_a_part_knows() {
    for body in [
        // What all have been told, and what processes of one part have in common.
        format!(
            "int k = a[1]; MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD); for (int t = 0; t < k; t++) {{ {CHAIN} }}"
        ),
        format!("if (colour == 1) {{ {CHAIN} }} else MPI_Barrier(c);"),
        format!("if (c != MPI_COMM_NULL && MPI_COMM_WORLD != MPI_COMM_NULL) {{ {CHAIN} }}"),
        // Between other communication.
        format!(
            "MPI_Barrier(MPI_COMM_WORLD); {CHAIN} MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); {CHAIN}"
        ),
        format!(
            "MPI_Comm world; MPI_Comm_dup(MPI_COMM_WORLD, &world); int all; MPI_Comm_size(world, &all); for (int t = 0; t < all; t++) {{ {CHAIN} }} MPI_Comm_free(&world);"
        ),
    ] {
        let body = format!("int colour = a[0]; {}", split("colour", &body));
        assert!(is_by_part(&decided(&body)), "{body}");
    }
    // Some are in none of the parts.
    let some = |body: &str| {
        format!(
            "MPI_Comm c; int r, n; MPI_Comm_split(MPI_COMM_WORLD, a[0] ? MPI_UNDEFINED : b[0], 0, &c); {body} MPI_Barrier(MPI_COMM_WORLD);"
        )
    };
    let body = some(&format!("if (c != MPI_COMM_NULL) {{ {MADE} {CHAIN} MPI_Comm_free(&c); }}"));
    assert!(is_by_part(&decided(&body)), "{body}");
    not_decided(&some(&format!("{MADE} {CHAIN}")));
    not_decided(&some("MPI_Barrier(c);"));
    not_decided(&some(&format!(
        "if (c != MPI_COMM_NULL) {{ {MADE} {CHAIN} MPI_Comm_free(&c); }} else MPI_Barrier(MPI_COMM_WORLD);"
    )));
    not_decided(&some(&format!(
        "if (c == MPI_COMM_NULL) MPI_Send(a, 1, MPI_INT, 0, 9, MPI_COMM_WORLD); else {{ {MADE} {CHAIN} }}"
    )));
}

#[test]
fn what_a_part_does_not_know() {
    for body in [
        // Ranks of the others.
        "if (rank > 0) MPI_Recv(b, 1, MPI_INT, r - 1, 0, c, MPI_STATUS_IGNORE); if (r < n - 1) MPI_Send(a, 1, MPI_INT, r + 1, 0, c);",
        "if (r > 0) MPI_Recv(b, 1, MPI_INT, r - 1, rank - 1, c, MPI_STATUS_IGNORE); if (r < n - 1) MPI_Send(a, 1, MPI_INT, r + 1, rank, c);",
        "if (rank % 2) MPI_Barrier(c);",
        "for (int t = 0; t < rank; t++) MPI_Barrier(c);",
        // Not in parts of any size.
        "if (r == 0) MPI_Send(a, 1, MPI_INT, 1, 0, c); if (r == 1) MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE);",
        "if (r == 0) MPI_Recv(b, 1, MPI_INT, n - 1, 0, c, MPI_STATUS_IGNORE); if (r == n - 1) MPI_Send(a, 1, MPI_INT, 0, 0, c);",
        // Some parts go on, others do not.
        "if (n == 3) MPI_Barrier(MPI_COMM_WORLD);",
        "if (n == 3) { MPI_Finalize(); return 0; }",
        "if (r == 0) MPI_Abort(c, 1);",
        // Messages that nobody receives.
        "MPI_Send(a, 1, MPI_INT, (r + 1) % n, 0, c);",
        "if (r > 0) MPI_Send(a, 1, MPI_INT, r - 1, 0, c); MPI_Barrier(MPI_COMM_WORLD); if (r < n - 1) MPI_Recv(b, 1, MPI_INT, r + 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    ] {
        not_decided(&split("a[0]", body));
    }
    // Who has made it by one call may be with others who have made it by another one.
    let made = |one: &str, other: &str| {
        format!(
            "MPI_Comm c; int r, n; if (rank % 2) MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c); else MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c);\n\
                 {MADE} if (rank % 2) {{ {one} }} else {{ {other} }}"
        )
    };
    not_decided(&made("MPI_Bcast(a, 1, MPI_INT, 0, c);", "MPI_Barrier(c);"));
    not_decided(
        "MPI_Comm c; if (rank % 2) { MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c); MPI_Bcast(a, 1, MPI_INT, 0, c); }\n\
         else { MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c); MPI_Barrier(c); }",
    );
    // Not all make it.
    not_decided("MPI_Comm c; if (rank < 2) { MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c); MPI_Barrier(c); }");
    // Other numbers may be the same colour.
    not_decided(
        "MPI_Comm c; long x = a[0] ? 257 : 1; MPI_Comm_split(MPI_COMM_WORLD, (char)x, 0, &c); if (x == 257) MPI_Barrier(c); MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, c);",
    );
    // All are told a half of it.
    let told = |datatype: &str| {
        split(
            "a[0]",
            &format!(
                "int k[2] = {{a[1], rank}}; MPI_Bcast(k, 1, {datatype}, 0, MPI_COMM_WORLD); if (k[0] == 3) MPI_Barrier(c);"
            ),
        )
    };
    assert!(is_by_part(&decided(&told("MPI_INT"))));
    not_decided(&told("MPI_SHORT"));
    // Those who are in none of the parts say nothing about the others.
    not_decided(&format!(
        "MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank % 2, &c); if (c != MPI_COMM_NULL) {{ int r, n; {MADE}\n\
         if (r < n - 1) MPI_Recv(b, 1, MPI_INT, r + 1, 20 + rank / 6, c, MPI_STATUS_IGNORE); if (r != 0) MPI_Send(a, 1, MPI_INT, r - 1, 20, c); }}"
    ));
    // Another one is kept under the same name.
    not_decided(
        "MPI_Comm c, d; int r, n; MPI_Comm_split(MPI_COMM_WORLD, a[0], 0, &c); MPI_Comm_split(MPI_COMM_WORLD, a[1], 0, &d);\n\
         if (a[2]) d = c; MPI_Barrier(d);",
    );
}
