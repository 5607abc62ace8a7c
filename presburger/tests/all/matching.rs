//! What the crate is for: who sends to whom, proved for any number of processes.

use presburger::{Context, Relation, Result, Set};

/// Operations of one kind, as relations from instances to (sender, receiver, tag).
fn meets(context: &Context, sends: &str, receives: &str) -> Result<(Relation, Set, Set)> {
    let (sends, receives) = (Relation::parse(context, sends)?, Relation::parse(context, receives)?);
    let meets = sends.apply_range(&receives.inverse()?)?;
    let sends_left = sends.domain()?.subtract(&meets.domain()?)?;
    let receives_left = receives.domain()?.subtract(&meets.range()?)?;
    Ok((meets, sends_left, receives_left))
}

#[test]
fn a_ring_is_a_bijection_for_any_number_of_processes() {
    let context = Context::with_budget(20_000).expect("there is memory");
    let (meets, sends, receives) = meets(
        &context,
        "[np] -> { S[r] -> [r, r + 1, 0] : 0 <= r < np - 1; S[r] -> [r, 0, 0] : r = np - 1 and np >= 1 }",
        "[np] -> { R[r] -> [r - 1, r, 0] : 0 < r < np; R[r] -> [np - 1, r, 0] : r = 0 and np >= 1 }",
    )
    .expect("small");
    assert!(meets.is_bijective().expect("small"));
    assert!(sends.is_empty().expect("small") && receives.is_empty().expect("small"));
    let all = Relation::parse(
        &context,
        "[np] -> { S[r] -> R[r + 1] : 0 <= r < np - 1; S[np - 1] -> R[0] : np >= 1 }",
    );
    assert!(meets.is_equal(&all.expect("a relation")).expect("small"));
    let known = Set::parse(&context, "[np] -> { : np >= 1 }").expect("a set");
    assert_eq!(meets.count_where(&known).expect("small").expect("a box").to_string(), "np");
}

#[test]
fn a_halo_of_a_grid_is_a_bijection_for_any_width_and_height() {
    let context = Context::with_budget(100_000).expect("there is memory");
    let here = "0 <= a < px and 0 <= b < py";
    let (mut sends, mut receives) = (Vec::new(), Vec::new());
    for (tag, (da, db)) in [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().enumerate() {
        sends.push(format!(
            "S{tag}[a, b] -> [a, b, a + {da}, b + {db}, {tag}] : {here} and 0 <= a + {da} < px and 0 <= b + {db} < py"
        ));
        receives.push(format!(
            "R{tag}[a, b] -> [a - {da}, b - {db}, a, b, {tag}] : {here} and 0 <= a - {da} < px and 0 <= b - {db} < py"
        ));
    }
    let text = |parts: Vec<String>| format!("[px, py] -> {{ {} }}", parts.join("; "));
    let (meets, sends, receives) = meets(&context, &text(sends), &text(receives)).expect("small");
    assert!(meets.is_bijective().expect("small"));
    assert!(sends.is_empty().expect("small") && receives.is_empty().expect("small"));
    let east = meets.parts().expect("small").remove(3).2;
    assert_eq!(
        east.coalesce().expect("small").to_string(),
        "[px, py] -> { S3[a, b] -> R3[a, b + 1] : 0 <= a < px and 0 <= b < py - 1 }"
    );
    let known = Set::parse(&context, "[px, py] -> { : px >= 1 and py >= 1 }").expect("a set");
    let count = meets.count_where(&known).expect("small").expect("boxes");
    assert_eq!(count.to_string(), "2 * (px - 1) * py + 2 * px * (py - 1)");
}

#[test]
fn what_is_left_has_a_witness() {
    let context = Context::new().expect("there is memory");
    let (meets, sends, receives) = meets(
        &context,
        "[np] -> { S[r] -> [r, r + 1] : 0 <= r < np - 1 and np >= 2 }",
        "[np] -> { R[r] -> [r - 1, r] : 0 <= r < np and np >= 2 }",
    )
    .expect("small");
    assert!(meets.is_bijective().expect("small") && sends.is_empty().expect("small"));
    assert_eq!(receives.to_string(), "[np] -> { R[0] : 2 <= np }");
    let witness = receives.smallest(&["np"]).expect("small").expect("there is one");
    assert_eq!(witness.to_string(), "R[0] where np = 2");
}

/// A clock: the position in the text, that grows along every dependence.
#[test]
fn sends_before_receives_need_buffers() {
    let context = Context::new().expect("there is memory");
    let relation = |text: &str| Relation::parse(&context, text).expect(text);
    let position = relation("[np] -> { S[r] -> [0] : 0 <= r < np; R[r] -> [1] : 0 <= r < np }");
    let meets = relation("[np] -> { S[r] -> R[r + 1] : 0 <= r < np - 1 }");
    let earlier = position.lex_lt(&position).expect("one length");
    assert!(meets.is_subset(&earlier).expect("small"));
    assert!(!meets.inverse().expect("small").is_subset(&earlier).expect("small"));
}
