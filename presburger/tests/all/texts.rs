//! Any text is a set or an error: no crash, no abort, and nothing is printed.

use presburger::{Context, Error, Relation, Set};
use proptest::prelude::*;

use super::random::cases;

fn try_both(text: &str) -> bool {
    let context = Context::with_budget(30_000).expect("there is memory");
    let set = Set::parse(&context, text);
    let relation = Relation::parse(&context, text);
    for error in [set.as_ref().err(), relation.as_ref().err()].into_iter().flatten() {
        assert!(matches!(error, Error::Syntax { .. } | Error::Budget), "{error:?} for {text}");
    }
    if let Ok(set) = &set {
        let again = Set::parse(&context, &set.to_string());
        assert!(matches!(again, Ok(_) | Err(Error::Budget)), "{text} is printed as {set}");
    }
    set.is_ok() || relation.is_ok()
}

#[test]
fn what_is_no_set_is_an_error() {
    for text in [
        "",
        " ",
        "x",
        "{",
        "}",
        "{}}",
        "[",
        "[n]",
        "[n] ->",
        "[n] -> {",
        "{ S[",
        "{ S[i }",
        "{ S[i] : }",
        "{ S[i] : i }",
        "{ S[i] : i < }",
        "{ S[i] : i * i > 0 }",
        "{ S[i] : j > 0 }",
        "{ S[i] ; }",
        "{ S[i] -> }",
        "{ S[i] -> T[j] -> U[k] }",
        "{ S[i] : exists }",
        "{ S[i] : exists j }",
        "{ S[i] : i mod 0 = 0 }",
        "{ S[i] : floor(i/0) = 0 }",
        "{ S[i] : i mod n = 0 }",
        "{ S[i] : i = 5 // 0 }",
        "{ S[i] : i = 5//00^2 }",
        "{ S[i] : i = 5 // -0 }",
        "{ S[i] : i = 5///0 }",
        "{ S[i] : i = 5 // }",
        "{ S[i] : i = 5 % 0 and i = 5 / 0 }",
        "{ S[i] : i = floor(i / -2) }",
        "{ [i] : i = 2^99999999999 }",
        "{ [i] : i = 2^2^9999999999 }",
        "{ S[i] : 0 <= i < \u{221e} }",
        "{ S[i] : i = 1.5 }",
        "{ \0 }",
        "99999999 99999999",
        "2 3\n1 2 3\n",
        "{ S[i] : i / 2 / }",
        "{ i -> i^2 }",
        "{ [i] -> i }",
        "{ [i] -> max(i, 2) }",
        "{ [infty] }",
        "{ [NaN] }",
        "{ S[i] : i = infty }",
        "domain: { }",
        "[i] -> [i]",
        "{ S[i] : (i > 0 }",
        "{ S[i] : i > 0) }",
        "{ S[i] : i > 0 and }",
        "{ \"S\"[i] }",
        "# x",
        "{ S[i = ] }",
        "{ S[i] : i < 99999999999999999999999999999999 and }",
        "{ [[i]] : }",
        "{ [i -> j] }",
        "{ S[*] }",
        "[n, n] -> { : n > 0 ",
    ] {
        try_both(text);
    }
    let context = Context::new().expect("there is memory");
    let error = Set::parse(&context, "{ S[i").expect_err("it is no set");
    assert_eq!(error.to_string(), "`{ S[i` is not a set in the notation of isl");
    assert!(Relation::parse(&context, "{ S[i] }").is_err());
    assert!(Set::parse(&context, "{ S[i] -> T[i] }").is_err());
}

#[test]
fn deep_nesting_is_refused() {
    let many = 200_000;
    for (open, close) in [
        ("(", ")"),
        ("-", ""),
        ("- ", ""),
        ("[", "]"),
        ("floor(", ")"),
        ("not ", ""),
        ("!", ""),
        ("i > 0 ? ", ""),
    ] {
        let text = format!("{{ S[i] : {}i{} = 0 }}", open.repeat(many), close.repeat(many));
        assert!(!try_both(&text), "{open}");
        let text = format!("{{ S[{}i{}] }}", open.repeat(many), close.repeat(many));
        assert!(!try_both(&text), "{open}");
    }
    for hidden in ["# ))))\n", "\"))))\""] {
        assert!(!try_both(&format!("{{ S[i] : {}i = 0 }}", format!("(({hidden}").repeat(many / 10))));
    }
    for part in [
        "exists j : ",
        "i > 0 implies ",
        "i > 0 => ",
        "exists (j : ",
        "i > 0 and (",
        "not (",
        "2*(",
        "i > 0 and exists j : ",
        "{ S[i] : ",
    ] {
        assert!(!try_both(&format!("{{ S[i] : {} i = 0 }}", part.repeat(many / 10))), "{part}");
    }
    let long = format!("{{ S[i] : {} }}", vec!["i > 0"; 300_000].join(" and "));
    assert!(!try_both(&long));
    // Much of it beside each other is not deep.
    assert!(try_both(&format!("{{ S[i] : {} }}", vec!["exists (j : i = 2j)"; 15].join(" and "))));
    assert!(try_both(&format!("{{ S[i] : {} }}", vec!["i >= -1 + 2*(i - 3)"; 15].join(" and "))));
}

#[test]
fn what_is_nearly_too_deep_is_read() {
    for (open, inside, close) in
        [("(", "i", ")"), ("2*(1 + ", "i", ")"), ("- ", "i", ""), ("floor(", "i", "/2)")]
    {
        try_both(&format!("{{ S[i] : {}{inside}{} = 0 }}", open.repeat(195), close.repeat(195)));
    }
    for (open, close) in [
        ("(", ")"),
        ("not (", ")"),
        ("exists (j : ", ")"),
        ("not ", ""),
        ("exists j : ", ""),
        ("i > 0 or (", ")"),
    ] {
        try_both(&format!("{{ S[i] : {} i = 0 {} }}", open.repeat(90), close.repeat(90)));
    }
    try_both(&format!("{{ {}A[i] -> A[i]{} }}", "[".repeat(190), "]".repeat(190)));
    try_both(&format!("{{ {}A[i]{} }}", "[".repeat(190), " -> A[i]]".repeat(190)));
}

const PIECES: [&str; 53] = [
    "{", "}", "[", "]", "(", ")", "->", ":", ";", ",", "i", "j", "n", "S", "T", "=", "<", "<=", ">", ">=",
    "!=", "+", "-", "*", "/", "2", "0", "7", "mod", "%", "floor(", "ceil(", "min(", "max(", "exists", "and",
    "or", "not", "implies", "<<", ">>", "<<=", "^2", "?", "'", "\"", "$", "e0", "infty", "true", "false",
    "//", "-2",
];

const TEXTS: [&str; 4] = [
    "[n] -> { S[i, j] -> T[i + 1] : 0 <= i < n and exists (k : j = 3k) and i mod 2 = 1; A[i] -> B[floor(i/2)] }",
    "[n, m] -> { S[i, j] : (i // 3 < 7 // 2 or not (j = floord(i, 4))) and i % 5 != 2 and 2^3 i >= j }",
    "{ [S[i] -> T[j, max(i, 2 j)]] : i >= j => -3i + 2(j - 1) > 0; [[] -> []] }",
    "[n] -> { S[(i >= 0 ? i : -i)] -> [n * 2 - 1, i << 2] : i, n >= 0 ; : n = 2 }",
];

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn pieces_in_any_order(pieces in prop::collection::vec(0..PIECES.len(), 0..14), starts in 0_usize..4) {
        let start = ["{ S[i] : ", "[n] -> { S[i, j] -> T[", "{ ", "[n] -> { "][starts];
        let text: Vec<&str> = pieces.iter().map(|at| PIECES[*at]).collect();
        try_both(&format!("{start}{} }}", text.join(" ")));
        try_both(&format!("{start}{}", text.join("")));
    }

    #[test]
    fn changed_texts(
        which in 0..TEXTS.len(),
        changes in prop::collection::vec((0_usize..90, 0_usize..4, 0..PIECES.len()), 1..4),
    ) {
        let mut text = TEXTS[which].to_owned();
        for (at, length, with) in changes {
            let at = at.min(text.len());
            text.replace_range(at..(at + length).min(text.len()), PIECES[with]);
        }
        try_both(&text);
    }

    #[test]
    fn any_characters(text in "\\{[ -~]{0,40}\\}", other in "\\PC{0,20}") {
        try_both(&text);
        try_both(&other);
    }
}
