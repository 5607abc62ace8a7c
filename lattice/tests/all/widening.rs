//! Chains of widenings are finite, whoever chooses what comes next.

use lattice::{Combine, Constraints, Linear, Range, Symbol, SymbolKind, Symbols, Truth, Unifier};
use proptest::prelude::*;

const COUNT: usize = 4;

/// More steps that change something than any chain over `COUNT` symbols has: an inequality that is kept gets weaker at most
/// twice before it goes (its own bound, then that of the ranges of both ends), and each such step is followed by at most one
/// that closes again.
const LONGEST: usize = 2 * 3 * (COUNT + 1) * COUNT;

fn end(s: Option<Symbol>) -> Linear {
    s.map_or(Linear::zero(), Linear::from)
}

fn system(all: &[(usize, usize, i64)]) -> Option<Constraints> {
    let name = |x: usize| if x == COUNT { Linear::zero() } else { Symbol::of(10 + x as u32).into() };
    let mut graph = Constraints::new();
    for &(x, y, c) in all {
        graph.assume_le(&name(x), &name(y).offset(c).expect("small"))?;
    }
    Some(graph)
}

/// What the graph says, but for one inequality, which is violated by a little.
fn violating(graph: &Constraints, which: usize, by: i64) -> Option<Constraints> {
    let mut all: Vec<_> = graph.inequalities().collect();
    let count = all.len();
    all.get_mut(which.checked_rem(count)?)?.2 += by;
    let mut weaker = Constraints::new();
    for (x, y, bound) in all {
        weaker
            .assume_le(&end(x), &end(y).offset(bound).expect("small"))
            .expect("weaker than what is satisfiable");
    }
    Some(weaker)
}

proptest! {
    /// Each step violates one inequality of the result so far, of those that were kept or of those that follow.
    #[test]
    fn chains_against_an_adversary_are_finite(
        first in prop::collection::vec((0..=COUNT, 0..=COUNT, -2_i64..5), 4..20),
        choices in prop::collection::vec((any::<usize>(), 1_i64..4), 3 * LONGEST),
    ) {
        let Some(mut graph) = system(&first) else { return Ok(()) };
        let mut changes = 0;
        for (which, by) in choices {
            let Some(weaker) = violating(&graph, which, by) else { break };
            let wide = graph.widen(&weaker);
            prop_assert!(graph.implies(&wide) && weaker.implies(&wide));
            changes += usize::from(wide != graph);
            graph = wide;
        }
        prop_assert!(changes <= LONGEST, "{changes} changes");
    }

    /// Dropping and renaming symbols on the way does no harm.
    #[test]
    fn chains_go_on_after_renaming(
        first in prop::collection::vec((0..=COUNT, 0..=COUNT, -2_i64..5), 4..20),
        choices in prop::collection::vec((any::<usize>(), 1_i64..4), 3 * LONGEST),
    ) {
        let Some(mut graph) = system(&first) else { return Ok(()) };
        let mut changes = 0;
        for (fresh, (which, by)) in (100..).zip(choices) {
            let Some(weaker) = violating(&graph, which, by) else { break };
            let wide = graph.widen(&weaker);
            changes += usize::from(wide != graph);
            graph = wide;
            let names: Vec<Symbol> = graph.symbols().collect();
            if let Some(&name) = names.get(which.checked_rem(names.len()).unwrap_or(0)) {
                graph.rename(name, Symbol::of(fresh));
            }
        }
        prop_assert!(changes <= LONGEST, "{changes} changes");
    }
}

/// Two counters from zero on that are never more than one apart, up to `x_most` and `y_most`.
fn close_counters(x: &Linear, y: &Linear, x_most: i64, y_most: i64) -> Constraints {
    let mut graph = Constraints::new();
    for (a, b, most) in [(x, y, x_most), (y, x, y_most)] {
        graph.assume_le(a, &b.offset(1).expect("small")).expect("satisfiable");
        graph.assume_le(&0.into(), a).expect("satisfiable");
        graph.assume_le(a, &most.into()).expect("satisfiable");
    }
    graph
}

/// Two counters that take turns: were each widened system closed before the next widening, the bound of the one would come
/// back from that of the other, for ever.
#[test]
fn counters_that_take_turns() {
    let (x, y) = (Linear::from(Symbol::of(10)), Linear::from(Symbol::of(11)));
    let mut graph = close_counters(&x, &y, 1, 1);
    let mut changes = 0;
    for turn in 1..50 {
        let wide = graph.widen(&close_counters(&x, &y, 1 + (turn + 1) / 2, 1 + turn / 2));
        if turn == 1 {
            assert_eq!(wide.upper_bound(&x), Some(2), "queries see what follows from the bound of y");
        }
        changes += usize::from(wide != graph);
        graph = wide;
    }
    assert!(changes <= 4, "{changes} changes");
    assert_eq!(graph.upper_bound(&x), None);
    assert_eq!(graph.upper_bound(&x.sub(&y).expect("small")), Some(1));
    assert_eq!(graph.lower_bound(&x), Some(0));
}

/// The same through [`Unifier`], where each round has symbols of its own.
#[test]
fn states_whose_counters_take_turns() {
    let mut symbols = Symbols::default();
    let pair = |symbols: &mut Symbols| [(); 2].map(|()| Linear::from(symbols.fresh(SymbolKind::Joined)));
    let [mut x, mut y] = pair(&mut symbols);
    let mut facts = close_counters(&x, &y, 1, 1);
    for turn in 1.. {
        assert!(turn < 12, "the loop is not summarised");
        let [nx, ny] = pair(&mut symbols);
        let next = close_counters(&nx, &ny, 1 + (turn + 1) / 2, 1 + turn / 2);
        let mut unifier = Unifier::new(&mut symbols, &facts, &next);
        let joined = [unifier.pair(&x, &nx).expect("small"), unifier.pair(&y, &ny).expect("small")];
        let (wide, covered) = unifier.finish(Combine::Widen);
        if covered {
            break;
        }
        [x, y] = joined;
        facts = wide;
    }
    assert_eq!(facts.upper_bound(&x), None);
    assert_eq!(facts.upper_bound(&y.sub(&x).expect("small")), Some(1));
}

/// A range `[lo..hi]` of ranks that were served grows to the right, and its left end stays.
#[test]
fn a_served_range_grows() {
    let mut symbols = Symbols::default();
    let mut facts = Constraints::new();
    facts.assume_le(&2.into(), &Linear::np()).expect("satisfiable");
    let mut served = Range { lo: 1.into(), hi: 1.into() };
    for round in 0.. {
        assert!(round < 4);
        let mut next = facts.clone();
        let hi = served.hi.offset(1).expect("small");
        next.assume_le(&hi, &Linear::np().offset(-1).expect("small")).expect("satisfiable");
        let mut unifier = Unifier::new(&mut symbols, &facts, &next);
        let lo = unifier.pair(&served.lo, &served.lo).expect("small");
        let hi = unifier.pair(&served.hi, &hi).expect("small");
        let (wide, covered) = unifier.finish(Combine::Widen);
        if covered {
            break;
        }
        (served, facts) = (Range { lo, hi }, wide);
    }
    assert_eq!(served.lo, 1.into());
    assert_eq!(served.nonempty(&facts), Truth::Yes);
    assert_eq!(facts.le(&served.hi, &Linear::np().offset(-1).expect("small")), Truth::Yes);
    assert_eq!(symbols.kind(served.hi.as_offset().expect("symbol + c").0), &SymbolKind::Joined);
}
