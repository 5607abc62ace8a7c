//! Sets that are made of constraints are those that are read from the same as a text.

use presburger::{Constraint, Context, Error, Names, Relation, Set};
use proptest::prelude::*;

use super::random::cases;

const A: Names<'_> = Names { tuple: "A", coordinates: &["i", "j"] };
const B: Names<'_> = Names { tuple: "B", coordinates: &["k"] };

fn constraints(variables: usize) -> impl Strategy<Value = Vec<Constraint>> {
    let one = (prop::bool::weighted(0.3), prop::collection::vec(-3_i64..4, variables), -5_i64..6)
        .prop_map(|(is_equation, factors, constant)| Constraint { is_equation, factors, constant });
    prop::collection::vec(one, 0..4)
}

fn text(constraints: &[Constraint], variables: &[&str]) -> String {
    let one = |Constraint { is_equation, factors, constant }: &Constraint| {
        let terms = factors.iter().zip(variables).map(|(factor, name)| format!("{factor}{name}"));
        let sum: Vec<String> = terms.chain([constant.to_string()]).collect();
        format!("{} {} 0", sum.join(" + ").replace("+ -", "- "), if *is_equation { "=" } else { ">=" })
    };
    let all: Vec<String> = constraints.iter().map(one).chain(["e = e".to_owned()]).collect();
    format!("exists (e: {})", all.join(" and "))
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn of_sets(constraints in constraints(4)) {
        let context = Context::new()?;
        let set = Set::of(&context, &["n"], &A, 1, &constraints)?;
        let text = format!("[n] -> {{ A[i, j] : {} }}", text(&constraints, &["n", "i", "j", "e"]));
        prop_assert!(set.is_equal(&Set::parse(&context, &text)?)?, "{}", text);
        let printed = set.to_string();
        prop_assert!(Set::parse(&context, &printed)?.is_equal(&set)?, "{}", printed);
    }

    #[test]
    fn of_relations(constraints in constraints(5)) {
        let context = Context::new()?;
        let relation = Relation::of(&context, &["n"], &A, &B, 1, &constraints)?;
        let text = format!("[n] -> {{ A[i, j] -> B[k] : {} }}", text(&constraints, &["n", "i", "j", "k", "e"]));
        prop_assert!(relation.is_equal(&Relation::parse(&context, &text)?)?, "{}", text);
        let printed = relation.to_string();
        prop_assert!(Relation::parse(&context, &printed)?.is_equal(&relation)?, "{}", printed);
    }
}

fn constraint(is_equation: bool, factors: &[i64], constant: i64) -> Constraint {
    Constraint { is_equation, factors: factors.to_vec(), constant }
}

#[test]
fn a_shift_to_the_right() {
    let context = Context::new().expect("there is memory");
    // np, r, s: 0 <= r, r < np - 1, s = r + 1.
    let constraints = [
        constraint(false, &[0, 1, 0], 0),
        constraint(false, &[1, -1, 0], -2),
        constraint(true, &[0, 1, -1], 1),
    ];
    let send = Names { tuple: "send", coordinates: &["r"] };
    let recv = Names { tuple: "recv", coordinates: &["s"] };
    let relation = Relation::of(&context, &["np"], &send, &recv, 0, &constraints).expect("it is right");
    assert_eq!(relation.to_string(), "[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }");
    let nothing = Names { tuple: "", coordinates: &[] };
    let always = Set::of(&context, &[], &nothing, 0, &[]).expect("it is right");
    assert_eq!(always.to_string(), "{ [] }");
}

#[test]
fn what_does_not_fit_is_refused() {
    let context = Context::new().expect("there is memory");
    let of = |parameters: &[&str], tuple: &str, coordinates: &[&str], constraints: &[Constraint]| {
        Set::of(&context, parameters, &Names { tuple, coordinates }, 0, constraints)
            .map(|set| set.to_string())
    };
    assert_eq!(of(&["n"], "S", &["i"], &[]), Ok("{ S[i] }".to_owned()));
    for wrong in [
        of(&["n", "n"], "S", &["i"], &[]),
        of(&["n"], "S", &["i"], &[constraint(false, &[1], 0)]),
        of(&["n"], "S", &["i"], &[constraint(false, &[1, 2, 3], 0)]),
        of(&["2"], "S", &["i"], &[]),
        of(&["n"], "a b", &["i"], &[]),
        of(&["n"], "S\0", &["i"], &[]),
        of(&["n"], "S", &["exists"], &[]),
        of(&[""], "S", &["i"], &[]),
    ] {
        assert!(matches!(wrong, Err(Error::Tuples(_))), "{wrong:?}");
    }
}
