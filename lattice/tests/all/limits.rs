//! Near the ends of 64 bits nothing panics, nothing wraps round, and everything said stays true.

use lattice::{Constraints, Linear, Symbol};
use proptest::prelude::*;

const COUNT: usize = 4;

#[derive(Clone, Debug)]
enum Op {
    /// `x - y <= (x - y) + slack`, for the values that the symbols have; `COUNT` is zero.
    Assume {
        x: usize,
        y: usize,
        slack: i64,
    },
    Assign {
        x: usize,
        y: usize,
        offset: i64,
    },
    Double {
        x: usize,
        y: usize,
    },
    Forget {
        x: usize,
    },
    Rename {
        x: usize,
    },
    Duplicate {
        mask: usize,
    },
    /// With a graph that knows only the last inequalities.
    Join {
        widen: bool,
    },
}

fn number() -> impl Strategy<Value = i64> {
    let near = |n: i64| (-3_i64..4).prop_map(move |d| n.saturating_add(d));
    prop_oneof![near(0), near(i64::MAX), near(i64::MIN), near(i64::MAX / 2), near(i64::MIN / 2), any::<i64>()]
}

fn op() -> impl Strategy<Value = Op> {
    let slack = prop_oneof![Just(0), 0_i64..4, number().prop_map(|n| n.saturating_abs())];
    prop_oneof![
        8 => (0..=COUNT, 0..=COUNT, slack).prop_map(|(x, y, slack)| Op::Assume { x, y, slack }),
        2 => (0..COUNT, 0..=COUNT, number()).prop_map(|(x, y, offset)| Op::Assign { x, y, offset }),
        1 => (0..COUNT, 0..COUNT).prop_map(|(x, y)| Op::Double { x, y }),
        1 => (0..COUNT).prop_map(|x| Op::Forget { x }),
        1 => (0..COUNT).prop_map(|x| Op::Rename { x }),
        1 => (0..1_usize << COUNT).prop_map(|mask| Op::Duplicate { mask }),
        1 => any::<bool>().prop_map(|widen| Op::Join { widen }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_said_is_true(
        mut values in prop::array::uniform4(number()),
        ops in prop::collection::vec(op(), 0..25),
    ) {
        let mut names: Vec<Symbol> = (0..COUNT).map(|x| Symbol::of(50 + 10 * x as u32)).collect();
        let mut graph = Constraints::new();
        let mut recent = Constraints::new();
        for (step, op) in ops.into_iter().enumerate() {
            let value = |x: usize| values.get(x).copied().unwrap_or(0);
            let name = |x: usize| names.get(x).map_or(Linear::zero(), |&s| s.into());
            // Names go up and down.
            let fresh = |i: usize| Symbol::of(if step % 2 == 0 { 1000 - step } else { 100 + step } as u32 + 40 * i as u32);
            match op {
                Op::Assume { x, y, slack } => {
                    let bound = value(x).checked_sub(value(y)).and_then(|d| d.checked_add(slack));
                    let Some(right) = bound.and_then(|bound| name(y).offset(bound)) else { continue };
                    prop_assert!(graph.assume_le(&name(x), &right).is_some());
                    prop_assert!(recent.assume_le(&name(x), &right).is_some());
                }
                Op::Assign { x, y, offset } => {
                    let Some(sum) = value(y).checked_add(offset) else { continue };
                    let term = name(y).offset(offset).expect("no constant was there");
                    graph.assign(names[x], &term);
                    recent.assign(names[x], &term);
                    values[x] = sum;
                }
                Op::Double { x, y } => {
                    let Some(double) = value(y).checked_mul(2) else { continue };
                    let term = name(y).scale(2).expect("small");
                    graph.assign(names[x], &term);
                    recent.assign(names[x], &term);
                    values[x] = double;
                }
                Op::Forget { x } => graph.forget(names[x]),
                Op::Rename { x } => {
                    graph.rename(names[x], fresh(0));
                    recent.rename(names[x], fresh(0));
                    names[x] = fresh(0);
                }
                Op::Duplicate { mask } => {
                    let split: Vec<usize> = (0..COUNT).filter(|x| mask & (1 << x) != 0).collect();
                    let pairs: Vec<_> = split.iter().map(|&x| (names[x], fresh(x))).collect();
                    graph.duplicate(&pairs);
                    recent.retain(|s| !split.iter().any(|&x| names[x] == s));
                    for x in split {
                        graph.forget(names[x]);
                        names[x] = fresh(x);
                    }
                }
                Op::Join { widen } => {
                    graph = if widen { graph.widen(&recent) } else { graph.join(&recent) };
                    recent = Constraints::new();
                }
            }
            for facts in [&graph, &recent] {
                let at = |s: Option<Symbol>| {
                    let value = |s| values[names.iter().position(|&n| n == s).expect("named")];
                    i128::from(s.map_or(0, value))
                };
                for (x, y, bound) in facts.inequalities() {
                    prop_assert!(at(x) - at(y) <= i128::from(bound));
                }
            }
        }
    }
}
