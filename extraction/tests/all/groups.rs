//! Communicators that are made of groups: they have the processes, in the order, of those that `MPI_Comm_split` makes.

use crate::powers::{same_messages, within};
use crate::{decided, said};

/// A chain among the processes of `c`, and what all of them do together.
const CHAIN: &str = "if (c != MPI_COMM_NULL) { int r, n; MPI_Comm_rank(c, &r); MPI_Comm_size(c, &n);\n\
    if (r > 0) MPI_Send(a, 1, MPI_INT, r - 1, 3, c);\n\
    if (r < n - 1) MPI_Recv(b, 1, MPI_INT, r + 1, 3, c, MPI_STATUS_IGNORE);\n\
    MPI_Bcast(a, 1, MPI_INT, n - 1, c); MPI_Comm_free(&c); }";

const ALL: &str = "MPI_Group all, g; MPI_Comm c; MPI_Comm_group(MPI_COMM_WORLD, &all);";
const CREATED: &str = "MPI_Comm_create(MPI_COMM_WORLD, g, &c);";

fn grouped(group: &str) -> String {
    format!("{ALL} {group} {CREATED} {CHAIN}")
}

fn split(colour: &str, key: &str) -> String {
    format!("MPI_Comm c; MPI_Comm_split(MPI_COMM_WORLD, {colour}, {key}, &c); {CHAIN}")
}

#[test]
fn groups_are_parts_in_an_order() {
    let listed = |count: &str, element: &str| {
        format!(
            "int list[64]; int k = {count}; for (int i = 0; i < k; i++) list[i] = {element}; MPI_Group_incl(all, k, list, &g);"
        )
    };
    let even = split("rank % 2 ? MPI_UNDEFINED : 0", "rank");
    same_messages(&grouped(&listed("(np + 1) / 2", "2 * i")), &even);
    same_messages(&grouped(&listed("np", "np - 1 - i")), &split("0", "-rank"));
    same_messages(&grouped(&listed("np / 2", "i")), &split("rank < np / 2 ? 0 : MPI_UNDEFINED", "rank"));
    let others = split("rank == 0 ? MPI_UNDEFINED : 0", "rank");
    same_messages(&grouped("int none = 0; MPI_Group_excl(all, 1, &none, &g);"), &others);
    let range = |call: &str, first: &str, last: &str, stride: i64| {
        format!("int range[1][3] = {{{{{first}, {last}, {stride}}}}}; {call}(all, 1, range, &g);")
    };
    same_messages(&grouped(&range("MPI_Group_range_incl", "0", "np - 1", 2)), &even);
    same_messages(&grouped(&range("MPI_Group_range_incl", "np - 1", "0", -1)), &split("0", "-rank"));
    same_messages(&grouped(&range("MPI_Group_range_excl", "0", "0", 1)), &others);
    let halves = format!(
        "MPI_Group even, odd; {} {}",
        "int e[1][3] = {{0, np - 1, 2}}; MPI_Group_range_incl(all, 1, e, &even);",
        "MPI_Group_difference(all, even, &odd);"
    );
    same_messages(
        &grouped(&format!("{halves} MPI_Group_union(odd, even, &g);")),
        &split("0", "rank % 2 ? rank - np : rank"),
    );
    same_messages(&grouped(&format!("{halves} MPI_Group_intersection(all, even, &g);")), &even);
    // Only the members make it.
    let member = "int me; MPI_Group_rank(g, &me); c = MPI_COMM_NULL;\n\
        if (me != MPI_UNDEFINED) MPI_Comm_create_group(MPI_COMM_WORLD, g, 7, &c);";
    same_messages(&format!("{ALL} {} {member} {CHAIN}", listed("(np + 1) / 2", "2 * i")), &even);
    // Each process names the group that it is in.
    same_messages(
        &grouped(&listed("rank % 2 ? np / 2 : (np + 1) / 2", "2 * i + rank % 2")),
        &split("rank % 2", "rank"),
    );
}

#[test]
fn groups_that_are_none() {
    let wrong = |group: &str| {
        let body = grouped(group);
        assert!(within(&body, 3_000_000).is_err(), "{body}");
    };
    // Ranks that there are not, ranks that are there twice, and processes that name other groups than their mates do.
    wrong("int list[2] = {0, np}; MPI_Group_incl(all, 2, list, &g);");
    wrong("int list[2] = {0, 0}; MPI_Group_incl(all, 2, list, &g);");
    wrong("int list[2] = {rank, (rank + 1) % np}; MPI_Group_incl(all, 2, list, &g);");
    wrong(
        "int list[64]; for (int i = 0; i < np; i++) list[i] = (i + rank) % np; MPI_Group_incl(all, np, list, &g);",
    );
}

#[test]
fn groups_that_are_made_in_rounds() {
    let in_rounds = |list: &str| {
        format!(
            "for (int t = 0; t < 3; t++) {{ MPI_Group all, g; MPI_Comm c; int list[2] = {list};\n\
             if (np < 5) break; MPI_Comm_group(MPI_COMM_WORLD, &all); MPI_Group_incl(all, 2, list, &g); MPI_Comm_create(MPI_COMM_WORLD, g, &c);\n\
             if (c != MPI_COMM_NULL) {{ MPI_Barrier(c); MPI_Comm_free(&c); }} MPI_Group_free(&all); MPI_Group_free(&g); }}"
        )
    };
    decided(&in_rounds("{0, 1}"), "0");
    let other = in_rounds("{t, t + 1}");
    assert!(!matches!(said(&other), Ok((_, Some(_)))), "{other}");
}
