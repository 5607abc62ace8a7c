//! Schedules: positions in time grow along what they were asked for.

use presburger::{Context, Relation, Set};

fn schedule(events: &str, order: &str) -> Option<String> {
    let context = Context::with_budget(1_000_000).expect("there is memory");
    let events = Set::parse(&context, events).expect("it is a set");
    let order = Relation::parse(&context, order).expect("it is a relation");
    let schedule = order.schedule(&events).expect("it is within the budget")?;
    assert!(events.is_subset(&schedule.domain().expect("it is small")).expect("it is small"));
    let grows = schedule.lex_lt(&schedule).expect("positions are alike");
    order.is_subset(&grows).expect("it is small").then(|| schedule.to_string())
}

#[test]
fn a_chain_goes_from_the_left_to_the_right() {
    let chain = "[n] -> { S[i] -> R[i + 1] : 0 <= i < n; R[i] -> S[i] : 0 < i < n }";
    assert!(schedule("[n] -> { S[i] : 0 <= i < n; R[i] : 0 < i <= n }", chain).is_some());
}

#[test]
fn a_circle_has_no_schedule() {
    assert_eq!(schedule("{ S[i] : 0 <= i < 3 }", "{ S[0] -> S[1]; S[1] -> S[2]; S[2] -> S[0] }"), None);
}

#[test]
fn loops_of_one_are_rows_of_many() {
    // A master asks one after the other, and waits for each answer.
    let events = "[n] -> { Ask[k] : 0 <= k < n; Answered[k] : 0 <= k < n; Work[r] : 0 <= r < n }";
    let order = "[n] -> { Ask[k] -> Answered[k] : 0 <= k < n; Answered[k] -> Ask[k + 1] : 0 <= k < n - 1; \
         Ask[k] -> Work[k] : 0 <= k < n; Work[k] -> Answered[k] : 0 <= k < n }";
    assert!(schedule(events, order).is_some());
}
