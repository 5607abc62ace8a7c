//! Whether messages fit, whether all name the same amounts, and whether buffers are as long as calls say.

use std::collections::BTreeMap;

use extraction::Section;
use model::Fit;

use crate::TO_THE_RIGHT;
use crate::powers::within;

fn sections(body: &str) -> Vec<Section> {
    within(body, 5_000_000).unwrap_or_else(|error| panic!("{body}: {error}"))
}

/// The numbers of processes at which some message is too long, by enumeration; nothing where some length is not known.
fn too_long_at(sections: &[Section], most: i64) -> Option<Vec<i64>> {
    let mut found = Vec::new();
    for np in 1..=most {
        let mut is_too_long = false;
        for Section { found, matching, .. } in sections {
            let values = found.values(np, &BTreeMap::new());
            let mut lengths: BTreeMap<_, i64> = BTreeMap::new();
            for (operation, length) in found.program.operations().iter().zip(&found.lengths) {
                if operation.is_collective() {
                    continue;
                }
                let pairs = length.as_ref()?.fix_parameters(&values).expect("it is small").pairs(1_000);
                lengths.extend(
                    pairs.expect("they are few").into_iter().map(|pair| (pair.from, pair.to.coordinates[0])),
                );
            }
            let pairs = matching.candidates.fix_parameters(&values).expect("it is small").pairs(1_000);
            is_too_long |=
                pairs.expect("they are few").iter().any(|one| lengths[&one.to] < lengths[&one.from]);
        }
        found.extend(is_too_long.then_some(np));
    }
    Some(found)
}

/// What is said for any number of processes: at which of these messages are too long.
fn said_too_long_at(sections: &[Section], most: i64) -> Option<Vec<i64>> {
    let mut all = Vec::new();
    for np in 1..=most {
        let mut is_too_long = false;
        for Section { found, matching, .. } in sections {
            for room in matching.rooms(&found.program, &found.lengths).expect("it is small") {
                match room.fit {
                    Fit::Shown => {}
                    Fit::Open => return None,
                    Fit::TooLong(pairs) => {
                        let there = pairs.fix_parameters(&found.values(np, &BTreeMap::new()));
                        is_too_long |= !there.and_then(|pairs| pairs.is_empty()).expect("it is small");
                    }
                }
            }
        }
        all.extend(is_too_long.then_some(np));
    }
    Some(all)
}

fn chain(sent: &str, room: &str) -> String {
    format!(
        "int w[64]; if (rank > 0) MPI_Send(w, {sent}, rank - 1, 1, MPI_COMM_WORLD);\n\
         if (rank < np - 1) MPI_Recv(w, {room}, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    )
}

#[test]
fn messages_fit_or_do_not() {
    let none: Vec<i64> = Vec::new();
    let from = |first: i64| -> Vec<i64> { (first..=14).collect() };
    for (sent, room, expected) in [
        ("4, MPI_INT", "4, MPI_INT", none.clone()),
        ("4, MPI_INT", "2, MPI_DOUBLE", none.clone()),
        ("4, MPI_INT", "15, MPI_BYTE", from(2)),
        ("rank, MPI_INT", "rank + 1, MPI_INT", none.clone()),
        ("rank + 1, MPI_INT", "rank + 1, MPI_INT", from(2)),
        ("np - rank, MPI_INT", "np - rank, MPI_INT", none.clone()),
        ("rank < 12 ? rank : 12, MPI_INT", "9, MPI_INT", from(11)),
        ("rank == 5 ? 9 : 1, MPI_INT", "rank == 4 ? 9 : 1, MPI_INT", none.clone()),
        ("rank == 5 ? 9 : 1, MPI_INT", "rank == 6 ? 9 : 1, MPI_INT", from(6)),
    ] {
        for around in ["", "for (int t = 0; t < 3; t++)"] {
            let body = format!("{around} {{ {} }}", chain(sent, room));
            let sections = sections(&body);
            assert_eq!(too_long_at(&sections, 14), Some(expected.clone()), "{body}");
            assert_eq!(said_too_long_at(&sections, 14), Some(expected.clone()), "{body}");
        }
    }
    // What comes from the command line is the same on both sides, or it is not.
    let given = "int n = atoi(argv[1]), m = atoi(argv[2]); MPI_Datatype line; MPI_Type_vector(n, 2, 8, MPI_INT, &line);";
    for (sent, room, is_shown) in [
        ("n, MPI_INT", "n, MPI_INT", true),
        ("n, MPI_INT", "n + 1, MPI_INT", true),
        ("n, MPI_INT", "m, MPI_INT", false),
        ("n * m, MPI_INT", "m * n, MPI_INT", true),
        ("1, line", "1, line", true),
        ("1, line", "n + n, MPI_INT", true),
        ("1, line", "n, MPI_INT", false),
    ] {
        let body = format!("{given} {}", chain(sent, room));
        let is_fit = |section: &Section| {
            let Section { found, matching, .. } = section;
            let rooms = matching.rooms(&found.program, &found.lengths).expect("it is small");
            rooms.iter().all(|room| matches!(room.fit, Fit::Shown))
        };
        assert_eq!(sections(&body).iter().all(is_fit), is_shown, "{body}");
    }
}

#[test]
fn all_name_the_same_amount_or_do_not() {
    for (call, is_shown) in [
        ("MPI_Bcast(a, 8, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(a, rank == 3 ? 7 : 8, MPI_INT, 0, MPI_COMM_WORLD);", false),
        (
            "if (rank) MPI_Bcast(a, 2, MPI_INT, 0, MPI_COMM_WORLD); else MPI_Bcast(a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
            true,
        ),
        (
            "if (rank) MPI_Bcast(a, 2, MPI_INT, 0, MPI_COMM_WORLD); else MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
        // What others than the root say has no meaning.
        ("MPI_Gather(a, 1, MPI_INT, b, rank ? 0 : 1, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Gather(a, 1, MPI_INT, b, rank ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Scatter(a, rank == np - 1 ? 1 : 5, MPI_INT, b, 1, MPI_INT, np - 1, MPI_COMM_WORLD);", true),
        ("MPI_Allgather(a, 1, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);", false),
        ("MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);", true),
        ("MPI_Reduce(a, b, np, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);", true),
        ("MPI_Barrier(MPI_COMM_WORLD);", true),
        (
            "int n[8] = {1}, d[8] = {0}; MPI_Gatherv(a, 1, MPI_INT, b, n, d, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
    ] {
        let is_open = |section: &Section| {
            let Section { found, together, .. } = section;
            !found.program.with_open_amounts(together, &found.lengths).expect("it is small").is_empty()
        };
        assert_eq!(!sections(call).iter().any(is_open), is_shown, "{call}");
    }
}

#[test]
fn buffers_are_as_long_as_calls_say_or_are_not() {
    let of_eight = "int n = atoi(argv[1]); int m[3][4]; struct { char c; int x[5]; } s;";
    for (call, is_shown) in [
        ("MPI_Bcast(a, 8, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(a, 9, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(a + 1, 8, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(a + 4, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(&n, 2, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(m[1], 8, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(&m[1][1], 8, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(s.x + 1, 4, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(s.x + 1, 5, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(a, rank < 8 ? rank : 8, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("MPI_Bcast(a, np, MPI_INT, 0, MPI_COMM_WORLD);", false),
        ("if (np <= 8) MPI_Bcast(a, np, MPI_INT, 0, MPI_COMM_WORLD);", true),
        (
            "MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_WORLD); MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
        // What the program has asked for.
        (
            "int *p = malloc(np * sizeof *p); MPI_Allgather(a, 1, MPI_INT, p, 1, MPI_INT, MPI_COMM_WORLD);",
            true,
        ),
        ("int *p = malloc(np); MPI_Allgather(a, 1, MPI_INT, p, 1, MPI_INT, MPI_COMM_WORLD);", false),
        (
            "int *p = calloc(np, sizeof *p); MPI_Allgather(a, 1, MPI_INT, p, 1, MPI_INT, MPI_COMM_WORLD);",
            true,
        ),
        (
            "int *p = calloc(np, sizeof *p); MPI_Allgather(a, 2, MPI_INT, p, 2, MPI_INT, MPI_COMM_WORLD);",
            false,
        ),
        (
            "int *p = NULL; if (rank == 0) p = malloc(4 * np); MPI_Gather(a, 1, MPI_INT, p, 1, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
        (
            "if (n < 1) n = 1; int *p = malloc(n * sizeof *p); for (int t = 0; t < 3; t++) MPI_Bcast(p, n, MPI_INT, 0, MPI_COMM_WORLD);",
            true,
        ),
        (
            "if (n < 1) n = 1; int *p = malloc(n * sizeof *p); p = realloc(p, 4); MPI_Bcast(p, n, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
        (
            "for (int t = 0; t < 3; t++) { int *p = malloc((t + 1) * sizeof *p); MPI_Bcast(p, t + 1, MPI_INT, 0, MPI_COMM_WORLD); free(p); }",
            true,
        ),
        (
            "for (int t = 0; t < 3; t++) { int *p = malloc((t + 1) * sizeof *p); MPI_Bcast(p, t + 2, MPI_INT, 0, MPI_COMM_WORLD); free(p); }",
            false,
        ),
        (
            "int *p = malloc(4); for (int t = 1; t < 3; t++) { MPI_Bcast(p, t, MPI_INT, 0, MPI_COMM_WORLD); }",
            false,
        ),
        // Steps of a pointer are as long as what it points to.
        (
            "char *p = malloc(64); p[0] = 1; int *q = (int *)p; MPI_Bcast(q + 9, 8, MPI_INT, 0, MPI_COMM_WORLD);",
            false,
        ),
        (
            "char *p = malloc(64); p[0] = 1; int *q = (int *)p; MPI_Bcast(q, 16, MPI_INT, 0, MPI_COMM_WORLD);",
            true,
        ),
        ("int *p = malloc(64); MPI_Bcast(p + 8, 8, MPI_INT, 0, MPI_COMM_WORLD);", true),
        ("int *p = malloc(64); MPI_Bcast(p + 9, 8, MPI_INT, 0, MPI_COMM_WORLD);", false),
        (
            "int *p = malloc(64); char *q = (char *)(p + 3); q[0] = 1; MPI_Bcast(q, 60, MPI_CHAR, 0, MPI_COMM_WORLD);",
            false,
        ),
        ("char *q = (char *)(a + 3); MPI_Bcast(q, 24, MPI_CHAR, 0, MPI_COMM_WORLD);", false),
        ("char *q = (char *)a; MPI_Bcast(q + 7, 26, MPI_CHAR, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast((double *)a + 2, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);", false),
        ("MPI_Bcast(argv[0], 1, MPI_CHAR, 0, MPI_COMM_WORLD);", false),
        (
            "int at = 0; char d[8]; MPI_Pack(a, 1, MPI_INT, d, 8, &at, MPI_COMM_WORLD); MPI_Barrier(MPI_COMM_WORLD);",
            false,
        ),
    ] {
        let body = format!("{of_eight} {call}");
        let is_in = |Section { found, .. }: &Section| {
            !found.has_other_buffers && found.in_buffers.iter().all(|is_in| *is_in)
        };
        assert_eq!(sections(&body).iter().all(is_in), is_shown, "{body}");
    }
    let sections = sections(TO_THE_RIGHT);
    assert!(sections.iter().flat_map(|section| &section.found.in_buffers).all(|is_in| *is_in));
}
