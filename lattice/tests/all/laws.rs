//! The laws of the lattice operations, checked against explicit sets of integer assignments.

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Range, Symbol, SymbolKind, Symbols, Truth, Unifier};
use proptest::prelude::*;

const COUNT: usize = 3;
const LOW: i64 = -2;
const HIGH: i64 = 3;

/// Symbols of a test, all bounded by `LOW..=HIGH`.
struct Box {
    symbols: Symbols,
    names: Vec<Symbol>,
}

impl Box {
    fn new(kind: impl Fn(usize) -> SymbolKind) -> Self {
        let mut symbols = Symbols::default();
        let names = (0..COUNT).map(|i| symbols.fresh(kind(i))).collect();
        Self { symbols, names }
    }

    fn bounded(&self) -> Constraints {
        let mut facts = Constraints::new();
        for &name in &self.names {
            facts.assume_le(&LOW.into(), &name.into()).expect("satisfiable");
            facts.assume_le(&name.into(), &HIGH.into()).expect("satisfiable");
        }
        facts
    }

    fn assignments() -> impl Iterator<Item = [i64; COUNT]> {
        let width = HIGH - LOW + 1;
        (0..width.pow(3)).map(move |n| [LOW + n % width, LOW + n / width % width, LOW + n / width / width])
    }

    fn value(&self, expression: &Linear, assignment: &[i64; COUNT]) -> i64 {
        let index = |s: Symbol| self.names.iter().position(|&n| n == s).map(|i| assignment[i]);
        expression.evaluate(index).expect("only symbols of the test occur")
    }
}

/// `(x, y, c)`: `x - y <= c`.
type Inequality = (usize, usize, i64);

fn inequalities() -> impl Strategy<Value = Vec<Inequality>> {
    prop::collection::vec((0..COUNT, 0..COUNT, -3_i64..4), 0..6)
}

fn holds(all: &[Inequality], a: &[i64; COUNT]) -> bool {
    all.iter().all(|&(x, y, c)| a[x] - a[y] <= c)
}

fn assume(test: &Box, all: &[Inequality]) -> Option<Constraints> {
    let mut facts = test.bounded();
    for &(x, y, c) in all {
        let right = Linear::from(test.names[y]).offset(c).expect("small");
        facts.assume_le(&test.names[x].into(), &right)?;
    }
    Some(facts)
}

fn expression() -> impl Strategy<Value = ([i64; COUNT], i64)> {
    (prop::array::uniform3(-2_i64..3), -4_i64..5)
}

fn linear(test: &Box, (coefficients, constant): &([i64; COUNT], i64)) -> Linear {
    let mut sum = Linear::from(*constant);
    for (&name, &k) in test.names.iter().zip(coefficients) {
        sum = sum.add_scaled(&name.into(), k).expect("small");
    }
    sum
}

proptest! {
    /// A system is refused exactly when it has no solution, and every bound it states on a difference is attained.
    #[test]
    fn closure_is_exact(all in inequalities(), x in 0..COUNT, y in 0..COUNT) {
        let test = Box::new(|_| SymbolKind::Joined);
        let solutions: Vec<_> = Box::assignments().filter(|a| holds(&all, a)).collect();
        match assume(&test, &all) {
            None => prop_assert!(solutions.is_empty()),
            Some(facts) => {
                prop_assert!(!solutions.is_empty());
                let difference = Linear::from(test.names[x]).sub(&test.names[y].into()).expect("small");
                let most = solutions.iter().map(|a| a[x] - a[y]).max();
                prop_assert_eq!(facts.upper_bound(&difference), most);
            }
        }
    }

    /// Bounds, truths and constants of any linear expression are true of every solution.
    #[test]
    fn queries_are_sound(all in inequalities(), left in expression(), right in expression()) {
        let test = Box::new(|_| SymbolKind::Joined);
        let Some(facts) = assume(&test, &all) else { return Ok(()) };
        let (left, right) = (linear(&test, &left), linear(&test, &right));
        for a in Box::assignments().filter(|a| holds(&all, a)) {
            let (l, r) = (test.value(&left, &a), test.value(&right, &a));
            prop_assert!(facts.upper_bound(&left).is_none_or(|upper| l <= upper));
            prop_assert!(facts.lower_bound(&left).is_none_or(|lower| lower <= l));
            prop_assert!(facts.constant(&left).is_none_or(|c| c == l));
            match facts.le(&left, &right) {
                Truth::Yes => prop_assert!(l <= r),
                Truth::No => prop_assert!(r < l),
                Truth::Open => {}
            }
            match facts.eq(&left, &right) {
                Truth::Yes => prop_assert_eq!(l, r),
                Truth::No => prop_assert_ne!(l, r),
                Truth::Open => {}
            }
        }
    }

    /// Forgetting a symbol keeps exactly what was known of the others.
    #[test]
    fn forgetting_projects(all in inequalities(), gone in 0..COUNT, x in 0..COUNT, y in 0..COUNT) {
        let test = Box::new(|_| SymbolKind::Joined);
        let Some(mut facts) = assume(&test, &all) else { return Ok(()) };
        facts.forget(test.names[gone]);
        if x != gone && y != gone {
            let difference = Linear::from(test.names[x]).sub(&test.names[y].into()).expect("small");
            let most = Box::assignments().filter(|a| holds(&all, a)).map(|a| a[x] - a[y]).max();
            prop_assert_eq!(facts.upper_bound(&difference), most);
        }
    }

    /// A generalisation describes every solution of both sides: evaluate the new symbols by what they stand for on each side,
    /// and every inequality of the result holds, and every generalised expression has its old value.
    #[test]
    fn generalisation_describes_both_sides(
        old in inequalities(),
        new in inequalities(),
        pairs in prop::collection::vec((expression(), expression()), 1..4),
        widen in any::<bool>(),
    ) {
        let mut test = Box::new(|_| SymbolKind::Joined);
        let (Some(before), Some(after)) = (assume(&test, &old), assume(&test, &new)) else { return Ok(()) };
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| (linear(&test, a), linear(&test, b))).collect();
        let mut symbols = test.symbols.clone();
        let mut unifier = Unifier::new(&mut symbols, &before, &after);
        let joined: Vec<Linear> = pairs.iter().map(|(a, b)| unifier.pair(a, b).expect("no rank occurs")).collect();
        let (facts, covered) = unifier.finish(if widen { Combine::Widen } else { Combine::Join });
        test.symbols = symbols;
        for (side, all) in [(0, &old), (1, &new)] {
            for a in Box::assignments().filter(|a| holds(all, a)) {
                // Each generalised expression is a new symbol plus a constant (or a stable constant).
                let mut values: Vec<(Symbol, i64)> = Vec::new();
                for (joined, pair) in joined.iter().zip(&pairs) {
                    let value = test.value(if side == 0 { &pair.0 } else { &pair.1 }, &a);
                    let Some((symbol, times)) = joined.terms().next() else {
                        prop_assert_eq!(joined.as_constant(), Some(value));
                        continue;
                    };
                    prop_assert!(joined.terms().count() == 1 && times == 1);
                    let rest = value - joined.constant();
                    let known = values.iter().find(|(s, _)| *s == symbol);
                    prop_assert!(known.is_none_or(|&(_, v)| v == rest), "one symbol, one value");
                    values.push((symbol, rest));
                }
                let at = |s: Option<Symbol>| s.map_or(Some(0), |s| values.iter().find(|v| v.0 == s).map(|v| v.1));
                for (x, y, bound) in facts.inequalities() {
                    if let (Some(x), Some(y)) = (at(x), at(y)) {
                        prop_assert!(x - y <= bound);
                    }
                }
            }
        }
        // "Covered" promises that the new side adds nothing: generalising again changes nothing either.
        if covered {
            for (joined, (a, _)) in joined.iter().zip(&pairs) {
                prop_assert_eq!(joined.as_constant(), a.as_constant());
            }
        }
    }

    /// Ranges of constants behave like the sets of integers they denote.
    #[test]
    fn ranges_are_sets(a in -4_i64..5, b in -4_i64..5, c in -4_i64..5, d in -4_i64..5) {
        let (facts, range) = (Constraints::new(), |lo: i64, hi: i64| Range { lo: lo.into(), hi: hi.into() });
        let (x, y) = (range(a.min(b), a.max(b)), range(c.min(d), c.max(d)));
        let set = |lo: i64, hi: i64| (lo.min(hi)..=lo.max(hi)).collect::<std::collections::BTreeSet<_>>();
        let (p, q) = (set(a, b), set(c, d));
        prop_assert_eq!(x.disjoint(&y, &facts), p.is_disjoint(&q));
        prop_assert_eq!(x.same(&y, &facts), p == q);
        if let Some(both) = x.append(&y, &facts) {
            let union: std::collections::BTreeSet<_> = p.union(&q).copied().collect();
            let ends = (both.lo.as_constant().expect("constant"), both.hi.as_constant().expect("constant"));
            prop_assert!(p.is_disjoint(&q));
            prop_assert_eq!(set(ends.0, ends.1), union);
        }
    }
}

/// The invariant of the paper's figure 5: the counter, the last rank served and the first rank not served move together.
#[test]
fn what_moves_together_stays_together() {
    let mut symbols = Symbols::default();
    let np = Linear::np();
    let mut before = Constraints::new();
    before.assume_le(&3.into(), &np).expect("satisfiable");
    let mut after = Constraints::new();
    after.assume_le(&4.into(), &np).expect("satisfiable");
    let mut unifier = Unifier::new(&mut symbols, &before, &after);
    let counter = unifier.pair(&2.into(), &3.into()).expect("small");
    let served = unifier.pair(&1.into(), &2.into()).expect("small");
    let (facts, covered) = unifier.finish(Combine::Widen);
    assert!(!covered);
    assert_eq!(counter.sub(&served), Some(1.into()));
    assert_eq!(facts.lower_bound(&counter), Some(2));
    assert_eq!(facts.upper_bound(&counter), None, "2 <= 2 is not kept, for the counter grows");
    assert_eq!(facts.le(&counter, &np.offset(-1).expect("small")), Truth::Yes, "but it stays below np");

    // The next round finds nothing new.
    let next = counter.offset(1).expect("small");
    let mut then = facts.clone();
    then.assume_le(&next, &np.offset(-1).expect("small")).expect("satisfiable");
    let mut unifier = Unifier::new(&mut symbols, &facts, &then);
    unifier.pair(&counter, &next).expect("small");
    unifier.pair(&served, &served.offset(1).expect("small")).expect("small");
    let (_, covered) = unifier.finish(Combine::Widen);
    assert!(covered);
}
