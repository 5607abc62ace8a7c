//! Inequalities that are no differences, against explicit sets of integer points: nothing that is said is wrong.

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Symbol, SymbolKind, Symbols, Truth, Unifier};
use proptest::prelude::*;

const COUNT: usize = 3;
const LOW: i64 = -3;
const HIGH: i64 = 3;

type Point = [i64; COUNT];
/// Coefficients and constant of an expression that is at most zero.
type Inequality = (Point, i64);

fn points() -> impl Iterator<Item = Point> {
    let axis = || LOW..=HIGH;
    axis().flat_map(move |x| axis().flat_map(move |y| axis().map(move |z| [x, y, z])))
}

fn value((coefficients, constant): &Inequality, point: &Point) -> i64 {
    coefficients.iter().zip(point).map(|(k, x)| k * x).sum::<i64>() + constant
}

fn linear((coefficients, constant): &Inequality, names: &[Symbol]) -> Linear {
    let sum = |sum: Linear, (&name, &k): (&Symbol, &i64)| sum.add_scaled(&name.into(), k).expect("small");
    names.iter().zip(coefficients).fold(Linear::from(*constant), sum)
}

/// The solutions of a system within the box, and its description; `None` when the system was refused.
fn described(all: &[Inequality], names: &[Symbol]) -> (Vec<Point>, Option<Constraints>) {
    let solutions = points().filter(|p| all.iter().all(|i| value(i, p) <= 0)).collect();
    let mut facts = Constraints::new();
    for &name in names {
        facts.assume_le(&LOW.into(), &name.into()).expect("satisfiable");
        facts.assume_le(&name.into(), &HIGH.into()).expect("satisfiable");
    }
    let learned = all.iter().try_for_each(|i| facts.assume_nonpositive(&linear(i, names)).map(|_| ()));
    (solutions, learned.map(|()| facts))
}

fn names() -> (Symbols, Vec<Symbol>) {
    let mut symbols = Symbols::default();
    let names = (0..COUNT).map(|_| symbols.fresh(SymbolKind::Joined)).collect();
    (symbols, names)
}

fn inequality() -> impl Strategy<Value = Inequality> {
    (prop::array::uniform3(-2_i64..3), -4_i64..5)
}

/// Inequalities; in some systems the first two are an equation.
fn system() -> impl Strategy<Value = Vec<Inequality>> {
    let equation = inequality().prop_map(|(k, c)| vec![(k, c), (k.map(|k| -k), -c)]);
    let first = prop_oneof![Just(Vec::new()), equation];
    (first, prop::collection::vec(inequality(), 1..5)).prop_map(|(first, rest)| [first, rest].concat())
}

/// What is said of an expression must hold at every point.
fn agrees(
    facts: &Constraints,
    names: &[Symbol],
    goal: &Inequality,
    solutions: &[Point],
) -> Result<(), TestCaseError> {
    let goal_linear = linear(goal, names);
    match facts.le(&goal_linear, &Linear::zero()) {
        Truth::Yes => prop_assert!(solutions.iter().all(|p| value(goal, p) <= 0)),
        Truth::No => prop_assert!(solutions.iter().all(|p| value(goal, p) > 0)),
        Truth::Open => {}
    }
    if let Some(bound) = facts.upper_bound(&goal_linear) {
        prop_assert!(solutions.iter().all(|p| value(goal, p) <= bound));
    }
    if let Some(constant) = facts.constant(&goal_linear) {
        prop_assert!(solutions.iter().all(|p| value(goal, p) == constant));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A system that has solutions is not refused, and all that is said holds for them; what was learned is known.
    #[test]
    fn answers_hold(all in system(), goal in inequality()) {
        let (_, names) = names();
        let (solutions, facts) = described(&all, &names);
        match facts {
            None => prop_assert!(solutions.is_empty()),
            Some(facts) => {
                agrees(&facts, &names, &goal, &solutions)?;
                for learned in &all {
                    prop_assert_eq!(facts.le(&linear(learned, &names), &Linear::zero()), Truth::Yes);
                }
            }
        }
    }

    /// What is kept when a name is forgotten, renamed, moved or copied holds for the points that are left.
    #[test]
    fn changes_are_sound(all in system(), goal in inequality(), which in 0..COUNT, offset in -2_i64..3) {
        let (mut symbols, mut names) = names();
        let (solutions, facts) = described(&all, &names);
        let Some(facts) = facts else { return Ok(()) };

        let mut forgotten = facts.clone();
        forgotten.forget(names[which]);
        let mut goal_without = goal;
        goal_without.0[which] = 0;
        agrees(&forgotten, &names, &goal_without, &solutions)?;

        let mut moved = facts.clone();
        moved.assign(names[which], &Linear::from(names[which]).offset(offset).expect("small"));
        let shifted: Vec<Point> = solutions.iter().map(|p| { let mut p = *p; p[which] += offset; p }).collect();
        agrees(&moved, &names, &goal, &shifted)?;

        let copy = symbols.fresh(SymbolKind::Joined);
        let mut doubled = facts.clone();
        doubled.duplicate(&[(names[which], copy)]);
        let mut renamed = facts;
        renamed.rename(names[which], copy);
        names[which] = copy;
        agrees(&doubled, &names, &goal, &solutions)?;
        agrees(&renamed, &names, &goal, &solutions)?;
    }

    /// A join and a widening describe the points of both sides, also where the names stand for other expressions.
    #[test]
    fn generalisations_describe_both_sides(
        old in system(), new in system(), goal in inequality(), shift in -2_i64..3, widen in any::<bool>(),
    ) {
        let (mut symbols, names) = names();
        let (old_points, old) = described(&old, &names);
        let (new_points, new) = described(&new, &names);
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        let combine = if widen { Combine::Widen } else { Combine::Join };

        let same_names = if widen { old.widen(&new) } else { old.join(&new) };
        agrees(&same_names, &names, &goal, &old_points)?;
        agrees(&same_names, &names, &goal, &new_points)?;

        let mut unifier = Unifier::new(&mut symbols, &old, &new);
        let general: Vec<Linear> = names.iter().map(|&name| {
            unifier.pair(&name.into(), &Linear::from(name).offset(shift).expect("small")).expect("small")
        }).collect();
        let (facts, covered) = unifier.finish(combine);
        let goal_linear = general.iter().zip(goal.0).fold(Linear::from(goal.1), |sum, (name, k)| {
            sum.add_scaled(name, k).expect("small")
        });
        let moved: Vec<Point> = new_points.iter().map(|p| p.map(|x| x + shift)).collect();
        for points in [&old_points, &moved] {
            if facts.le(&goal_linear, &Linear::zero()) == Truth::Yes {
                prop_assert!(points.iter().all(|p| value(&goal, p) <= 0));
            }
        }
        if covered {
            prop_assert!(moved.iter().all(|p| old_points.contains(p)));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// An equality `x + y = z + c` that both sides know is known of what a join or widening makes of them, which describes the points of
    /// both sides.
    #[test]
    fn equalities_of_three_are_kept(
        old in prop::collection::vec(inequality(), 0..2), new in prop::collection::vec(inequality(), 0..2),
        constant in -3_i64..4, shift in -2_i64..3, goal in inequality(), widen in any::<bool>(),
    ) {
        let equality = |constant: i64| vec![([1, 1, -1], -constant), ([-1, -1, 1], constant)];
        let (mut symbols, names) = names();
        let (old_points, old) = described(&[equality(constant), old].concat(), &names);
        let (new_points, new) = described(&[equality(constant - shift), new].concat(), &names);
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        prop_assume!(!old_points.is_empty() && !new_points.is_empty());
        let mut unifier = Unifier::new(&mut symbols, &old, &new);
        let general: Vec<Linear> = names.iter().map(|&name| {
            unifier.pair(&name.into(), &Linear::from(name).offset(shift).expect("small")).expect("small")
        }).collect();
        let (facts, _) = unifier.finish(if widen { Combine::Widen } else { Combine::Join });
        let left = general[0].add(&general[1]).expect("small");
        let right = general[2].offset(constant).expect("small");
        prop_assert_eq!(facts.eq(&left, &right), Truth::Yes);
        let goal_linear = general.iter().zip(goal.0).fold(Linear::from(goal.1), |sum, (name, k)| {
            sum.add_scaled(name, k).expect("small")
        });
        let moved = new_points.iter().map(|p| p.map(|x| x + shift));
        for point in old_points.iter().copied().chain(moved) {
            match facts.le(&goal_linear, &Linear::zero()) {
                Truth::Yes => prop_assert!(value(&goal, &point) <= 0),
                Truth::No => prop_assert!(value(&goal, &point) > 0),
                Truth::Open => {}
            }
        }
    }
}

/// `2q <= np <= 2q + 1`: the halves of an even or odd number.
#[test]
fn a_half_is_less_than_the_whole() {
    let mut symbols = Symbols::default();
    let (np, q) = (Linear::np(), Linear::from(symbols.fresh(SymbolKind::Joined)));
    let twice = q.scale(2).expect("small");
    let mut facts = Constraints::new();
    assert_eq!(facts.assume_le(&1.into(), &np), Some(true));
    assert_eq!(facts.assume_le(&twice, &np), Some(true));
    assert_eq!(facts.assume_le(&np, &twice.offset(1).expect("small")), Some(true));
    assert_eq!(facts.le(&Linear::zero(), &q), Truth::Yes, "the half of a positive number is not negative");
    assert_eq!(facts.le(&q, &np), Truth::Yes);
    let mut even = facts.clone();
    assert_eq!(even.assume_le(&np, &twice), Some(true));
    assert_eq!(even.eq(&np, &twice), Truth::Yes);
    assert_eq!(even.assume_eq(&np, &5.into()), None, "5 is odd");
}

/// The rank differs between the processes of a set, so that nothing about it holds for the state.
#[test]
fn nothing_is_learned_about_the_rank() {
    let mut symbols = Symbols::default();
    let q = Linear::from(symbols.fresh(SymbolKind::Joined));
    let sum = Linear::rank().add(&q).and_then(|e| e.sub(&Linear::np())).expect("small");
    let mut facts = Constraints::new();
    assert!(!facts.can_express(&sum));
    assert_eq!(facts.assume_nonpositive(&sum), Some(false));
    assert_eq!(facts.assume_le(&Linear::rank(), &5.into()), Some(false));
    assert_eq!(facts.le(&sum, &Linear::zero()), Truth::Open);
    assert_eq!(facts, Constraints::new());
}

/// Where np is 2q, the counter 2x that stays below np says that x stays below q: a difference, which a widening keeps.
#[test]
fn equations_make_differences() {
    let (_, names) = names();
    let [x, q, np] = [names[0], names[1], names[2]].map(Linear::from);
    let twice = |e: &Linear| e.scale(2).expect("small");
    for odd in [0, 1] {
        let mut facts = Constraints::new();
        facts.assume_eq(&np, &twice(&q).offset(odd).expect("small")).expect("satisfiable");
        facts.assume_le(&twice(&x).offset(1).expect("small"), &np).expect("satisfiable");
        let least = x.offset(1 - odd).expect("small");
        assert_eq!(facts.difference_bound(Some(names[0]), Some(names[1])), Some(odd - 1));
        assert_eq!(facts.le(&least, &q), Truth::Yes);
    }
}
