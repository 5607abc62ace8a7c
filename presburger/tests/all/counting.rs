//! Formulas for numbers of points against enumeration.

use std::collections::BTreeMap;

use presburger::{Affine, Context, Factor, Formula, Product, QuasiAffine, Relation, Set};
use proptest::prelude::*;

use super::random::{SIDE, cases, relation, set};

/// Sets, what is known of the parameters, and the formula.
const COUNTED: [(&str, &str, &str); 14] = [
    ("{ }", "{ : }", "0"),
    ("{ S[3] }", "{ : }", "1"),
    ("[np] -> { S[r] : 0 <= r < np }", "{ : }", "max(0, np)"),
    ("[np] -> { S[r] : 0 <= r < np }", "[np] -> { : np >= 1 }", "np"),
    ("[np] -> { S[r] : 0 <= r < np - 1 }", "[np] -> { : np >= 1 }", "np - 1"),
    ("[np] -> { S[r] : 0 <= r < np - 1; S[r] : r = np - 1 }", "[np] -> { : np >= 1 }", "np"),
    ("[np] -> { S[r] : 0 <= r < np - 1; T[r] : r = np - 1 }", "[np] -> { : np >= 1 }", "np"),
    (
        "[p, q] -> { S[a, b] : 0 <= a < p and 0 <= b < q - 1 }",
        "[p, q] -> { : p >= 1 and q >= 1 }",
        "p * (q - 1)",
    ),
    ("[p, q] -> { S[a, b] : 0 <= a < p and 0 <= b < q }", "{ : }", "max(0, p) * max(0, q)"),
    ("[np] -> { S[r] : 0 <= r < np and r mod 2 = 0 }", "[np] -> { : np >= 1 }", "floor((np + 1)/2)"),
    ("[np] -> { S[r] : 0 <= r < np and r mod 2 = 1 }", "[np] -> { : np >= 1 }", "floor(np/2)"),
    ("[np] -> { S[r, c] : 0 <= r < np and c = r + 1 }", "[np] -> { : np >= 1 }", "np"),
    ("[np] -> { S[r] : 0 <= r <= 3 and np >= 5 }", "{ : }", "4 * [0 <= np - 5]"),
    ("[np] -> { S[r] : 0 <= r <= 3 and np mod 2 = 0 }", "{ : }", "4 * [0 <= floor((-np)/2) + floor(np/2)]"),
];

#[test]
fn boxes_are_counted() {
    let context = Context::new().expect("there is memory");
    for (text, known, formula) in COUNTED {
        let set = Set::parse(&context, text).expect(text);
        let known = Set::parse(&context, known).expect(known);
        let counted = set.count_where(&known).expect(text).map(|count| count.to_string());
        assert_eq!(counted.as_deref(), Some(formula), "of {text}");
    }
}

#[test]
fn other_shapes_are_not() {
    let context = Context::new().expect("there is memory");
    for text in [
        "{ S[i] }",
        "{ S[i] : i >= 0 }",
        "[n] -> { S[i, j] : 0 <= i < j < n }",
        "[n] -> { S[i, j] : 0 <= i + j < n and 0 <= i - j < n }",
    ] {
        assert_eq!(Set::parse(&context, text).expect(text).count(), Ok(None), "of {text}");
    }
}

#[test]
fn a_halo_has_so_many_messages() {
    let context = Context::new().expect("there is memory");
    let known = Set::parse(&context, "[px, py] -> { : px >= 1 and py >= 1 }").expect("a set");
    let east = "[px, py] -> { S[a, b] -> R[a, b + 1] : 0 <= a < px and 0 <= b < py - 1 }";
    let count = Relation::parse(&context, east)
        .expect("a relation")
        .count_where(&known)
        .expect("small")
        .expect("a box");
    assert_eq!(count.to_string(), "px * (py - 1)");
    let at = |px: i64, py: i64| count.at(&BTreeMap::from([("px".to_owned(), px), ("py".to_owned(), py)]));
    assert_eq!((at(3, 4), at(1, 1)), (Some(9), Some(0)));
    assert_eq!(at(i64::MAX, i64::MAX), None);
    assert_eq!(count.at(&BTreeMap::new()), None);
}

fn n(value: i64) -> BTreeMap<String, i64> {
    BTreeMap::from([("n".to_owned(), value)])
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn formulas_of_sets_are_right(a in set(), b in set()) {
        let context = Context::new()?;
        let (x, y) = (a.parse(&context), b.parse(&context));
        let (a, b) = (a.points(), b.points());
        let count = x.count()?;
        let where_known = x.count_where(&y)?;
        for value in -1..=SIDE {
            let points = a.iter().filter(|point| point.parameters == n(value)).count() as i64;
            if let Some(count) = &count {
                prop_assert_eq!(count.at(&n(value)), Some(points), "{} at {}", count, value);
            }
            let is_known = b.iter().any(|point| point.parameters == n(value));
            if let Some(count) = where_known.as_ref().filter(|_| is_known) {
                prop_assert_eq!(count.at(&n(value)), Some(points), "{} at {}", count, value);
            }
        }
    }

    #[test]
    fn formulas_of_relations_are_right(a in relation()) {
        let context = Context::new()?;
        let count = a.parse(&context).count()?;
        let a = a.pairs();
        for value in -1..=SIDE {
            let pairs = a.iter().filter(|pair| pair.parameters == n(value)).count() as i64;
            if let Some(count) = &count {
                prop_assert_eq!(count.at(&n(value)), Some(pairs), "{} at {}", count, value);
            }
        }
    }

    /// One coordinate between two bounds with a stride, for any parameter.
    #[test]
    fn lengths_are_right(low in -4_i64..5, k in -2_i64..3, high in -4_i64..5, l in -2_i64..3, c in 1_i64..4, m in 1_i64..4, rest in 0_i64..4) {
        let context = Context::new()?;
        let rest = rest % m;
        let text = format!("[n] -> {{ S[i] : {k}n + {low} <= {c}i <= {l}n + {high} and (i + n) mod {m} = {rest} }}");
        let count = Set::parse(&context, &text.replace("+ -", "- "))?.count()?;
        for value in -6..=6 {
            let is_in = |i: &i64| k * value + low <= c * i && c * i <= l * value + high && (i + value).rem_euclid(m) == rest;
            let points = (-60..60).filter(is_in).count() as i64;
            match &count {
                Some(count) => prop_assert_eq!(count.at(&n(value)), Some(points), "{} of {} at {}", count, text, value),
                // Strides of bounds with factors are not told.
                None => prop_assert!(1 < c && 1 < m, "{} is not counted", text),
            }
        }
    }
}

#[test]
fn a_formula_may_be_one_number() {
    let np =
        |factor: i64, constant: i64| Affine { terms: BTreeMap::from([("np".to_owned(), factor)]), constant };
    let half = |numerator: Affine| {
        Factor::Length(QuasiAffine { affine: Affine::constant(0), quotients: vec![(1, numerator, 2)] })
    };
    let product = |factor: Factor| Product { times: 4, factors: vec![factor] };
    let same = Formula {
        products: vec![
            product(half(np(-1, 1))),
            product(half(np(1, 0))),
            Product { times: 3, factors: Vec::new() },
        ],
    };
    assert_eq!(same.as_number(), Some(3));
    let differs = Formula { products: vec![product(half(np(-1, 0))), product(half(np(1, 0)))] };
    assert_eq!(differs.as_number(), None);
    let length =
        |constant: i64| Factor::Length(QuasiAffine { affine: np(1, constant), quotients: Vec::new() });
    let square = Formula {
        products: vec![
            Product { times: 1, factors: vec![length(1), length(-1)] },
            Product { times: -1, factors: vec![length(0), length(0)] },
        ],
    };
    assert_eq!(square.as_number(), Some(-1));
    let line = Formula { products: vec![Product { times: 1, factors: vec![length(0)] }] };
    assert_eq!(line.as_number(), None);
    let somewhere = Formula {
        products: vec![Product { times: 1, factors: vec![Factor::Where(QuasiAffine::default())] }],
    };
    assert_eq!(somewhere.as_number(), None);
}
