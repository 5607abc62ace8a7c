//! Functions as formulas in C.

use presburger::{Context, Error, Relation, Set};

fn told(context: &Context, function: &str, known: &str) -> Vec<String> {
    let function = Relation::parse(context, function).expect("it is a relation");
    let known = Set::parse(context, known).expect("it is a set");
    let pieces = function.pieces(&["rank"], &known).expect("it is a function");
    let mut told: Vec<String> =
        pieces.iter().map(|piece| format!("{} on {}", piece.values.join(", "), piece.domain)).collect();
    told.sort();
    told
}

#[test]
fn pieces_are_told_as_expressions() {
    let context = Context::new().expect("there is memory");
    let known = "[np] -> { : np >= 1 }";
    assert_eq!(
        told(&context, "[np] -> { [r] -> [r + 1] : 0 <= r < np - 1 }", known),
        ["rank + 1 on [np] -> { [rank] : 0 <= rank < np - 1 }"]
    );
    let ring = "[np] -> { S[r] -> [r + 1] : 0 <= r < np - 1; S[r] -> [0] : r = np - 1 and np >= 2 }";
    assert_eq!(
        told(&context, ring, known),
        ["0 on [np] -> { [np - 1] : 2 <= np }", "rank + 1 on [np] -> { [rank] : 0 <= rank < np - 1 }"]
    );
    // Quotients of what is not negative are those of C.
    assert_eq!(
        told(&context, "[np] -> { [r] -> [floor(r/2), np - 1] : 0 <= r < np }", known),
        ["rank / 2, np - 1 on [np] -> { [rank] : 0 <= rank < np }"]
    );
    assert_eq!(
        told(&context, "[np] -> { [r] -> [floor(r/2)] : r < np }", known),
        ["floord(rank, 2) on [np] -> { [rank] : rank < np }"]
    );
    assert_eq!(
        told(&context, "[np] -> { [r] -> [r mod 4] : 0 <= r < np }", known),
        ["rank % 4 on [np] -> { [rank] : 0 <= rank < np }"]
    );
}

#[test]
fn what_is_no_function_is_refused() {
    let context = Context::new().expect("there is memory");
    let known = Set::parse(&context, "[np] -> { : np >= 1 }").expect("it is a set");
    let several =
        Relation::parse(&context, "[np] -> { [r] -> [s] : 0 <= s < np }").expect("it is a relation");
    assert!(matches!(several.pieces(&["rank"], &known), Err(Error::Refused(_))));
    let tuples = Relation::parse(&context, "{ A[r] -> [0]; B[r] -> [1] }").expect("it is a relation");
    assert!(matches!(tuples.pieces(&["rank"], &known), Err(Error::Tuples(_))));
    let one = Relation::parse(&context, "{ A[r, s] -> [0] }").expect("it is a relation");
    assert!(matches!(one.pieces(&["rank"], &known), Err(Error::Tuples(_))));
    assert!(matches!(one.pieces(&["rank", "or"], &known), Err(Error::Tuples(_))));
}

#[test]
fn conditions_say_what_is_not_known_already() {
    let context = Context::new().expect("there is memory");
    let condition = |set: &str, known: &str| {
        let [set, known] = [set, known].map(|text| Set::parse(&context, text).expect("it is a set"));
        set.condition(&known).expect("it is within the budget")
    };
    let known = "[np] -> { : np >= 1 }";
    assert_eq!(condition("[np] -> { : np >= 0 }", known), None);
    assert_eq!(condition("[np] -> { : np >= 3 }", known).as_deref(), Some("np >= 3"));
    assert_eq!(condition("[np] -> { [r] : 0 <= r < np - 2 }", known).as_deref(), Some("np >= 3"));
    assert_eq!(
        condition("[np] -> { : np mod 2 = 0 and np >= 4 }", known).as_deref(),
        Some("np >= 4 && np % 2 == 0")
    );
}
