//! What is printed is readable, and is the same set when it is read again.

use presburger::{Context, Relation, Set};

/// Texts, and what is printed for them.
const SETS: [(&str, &str); 11] = [
    ("{ }", "{ }"),
    ("[np] -> { S[r] : 0 <= r < np }", "[np] -> { S[r] : 0 <= r < np }"),
    ("[np] -> { S[r] : 0 <= r < np - 1 }", "[np] -> { S[r] : 0 <= r < np - 1 }"),
    ("[np] -> { : np >= 2 }", "[np] -> { : 2 <= np }"),
    ("{ : }", "{ : }"),
    ("{ S[r] : 0 <= r <= 7 and r mod 2 = 1 }", "{ S[r] : 0 <= r <= 7 and r mod 2 = 1 }"),
    ("[np] -> { S[r] : 0 <= r < np and r = np - 1 }", "[np] -> { S[np - 1] : 1 <= np }"),
    ("{ S[i, j] : 0 <= i < j <= 9 }", "{ S[i, j] : 0 <= i and i < j <= 9 }"),
    ("[np, N] -> { S[r] : 0 <= 2r <= np }", "[np] -> { S[r] : 0 <= r and 2r <= np }"),
    ("{ S[k] : exists (i: 0 <= i <= 10 and k = floor(i/3)) }", "{ S[k] : 0 <= k <= 3 }"),
    ("{ [A[i] -> B[j]] : 0 <= i = j <= 2 }", "{ [A[i] -> B[i]] : 0 <= i <= 2 }"),
];

const RELATIONS: [(&str, &str); 8] = [
    (
        "[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }",
        "[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }",
    ),
    ("{ A[i] -> A[j] : 0 <= i < j <= 3 }", "{ A[i] -> A[j] : 0 <= i and i < j <= 3 }"),
    ("{ A[i] -> B[floor(i/2)] : 0 <= i <= 9 }", "{ A[i] -> B[floor(i/2)] : 0 <= i <= 9 }"),
    ("{ A[i] -> B[i mod 3] }", "{ A[i] -> B[i mod 3] }"),
    ("{ A[r] -> A[-r] }", "{ A[r] -> A[-r] }"),
    ("{ A[r] -> A[(2r + 1) mod 5] : 0 <= r < 5 }", "{ A[r] -> A[(2r + 1) mod 5] : 0 <= r <= 4 }"),
    ("{ A[r] -> [floor((r + 1)/4), 3 - r mod 4] }", "{ A[r] -> [floor((r + 1)/4), (-r - 1) mod 4] }"),
    (
        "{ A[r] -> B[j] : exists (k : r = 6k + j and 0 <= 2k <= r) }",
        "{ A[r] -> B[j] : -2r <= j <= r and (r - j) mod 6 = 0 }",
    ),
];

#[test]
fn sets_are_printed_as_mathematics() {
    let context = Context::new().expect("there is memory");
    for (text, printed) in SETS {
        let set = Set::parse(&context, text).expect(text);
        assert_eq!(set.to_string(), printed, "of {text}");
        let again = Set::parse(&context, printed).expect(printed);
        assert!(again.is_equal(&set).expect("small"), "{text} became {printed}");
    }
}

#[test]
fn relations_are_printed_as_mathematics() {
    let context = Context::new().expect("there is memory");
    for (text, printed) in RELATIONS {
        let relation = Relation::parse(&context, text).expect(text);
        assert_eq!(relation.to_string(), printed, "of {text}");
        let again = Relation::parse(&context, printed).expect(printed);
        assert!(again.is_equal(&relation).expect("small"), "{text} became {printed}");
    }
}
