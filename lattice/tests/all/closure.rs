//! The sparse graph against a plain matrix that is closed from scratch by the algorithm of Floyd and Warshall: the same
//! bounds for all pairs, whatever is bounded and whatever is not.

use std::collections::BTreeMap;

use lattice::{Combine, Constraints, Linear, Symbol, SymbolKind, Symbols, Unifier};
use proptest::prelude::*;

/// Symbols of a test; `COUNT` itself is zero.
const COUNT: usize = 6;

/// `(x, y, c)`: `x - y <= c`.
type Inequality = (usize, usize, i64);

type Matrix = Vec<Vec<Option<i64>>>;

fn inequalities(most: usize) -> impl Strategy<Value = Vec<Inequality>> {
    prop::collection::vec((0..=COUNT, 0..=COUNT, -4_i64..9), 0..most)
}

fn tighter(a: Option<i64>, b: Option<i64>) -> Option<i64> {
    a.zip(b).map(|(a, b)| a.min(b)).or(a).or(b)
}

/// Closes a matrix; `None` when it has a negative cycle.
fn close(mut matrix: Matrix) -> Option<Matrix> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] = tighter(row[i], Some(0));
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                let path = matrix[i][k].zip(matrix[k][j]).map(|(a, b)| a + b);
                matrix[i][j] = tighter(matrix[i][j], path);
            }
        }
    }
    (0..n).all(|i| matrix[i][i] == Some(0)).then_some(matrix)
}

fn matrix(all: &[Inequality]) -> Option<Matrix> {
    let mut matrix = vec![vec![None; COUNT + 1]; COUNT + 1];
    for &(x, y, c) in all {
        matrix[x][y] = tighter(matrix[x][y], Some(c));
    }
    close(matrix)
}

fn name(x: usize) -> Linear {
    if x == COUNT { Linear::zero() } else { symbol(x).into() }
}

fn symbol(x: usize) -> Symbol {
    Symbol::of(20 + x as u32)
}

fn graph(all: &[Inequality]) -> Option<Constraints> {
    let mut graph = Constraints::new();
    for &(x, y, c) in all {
        assert!(graph.assume_le(&name(x), &name(y).offset(c).expect("small"))?);
    }
    Some(graph)
}

fn bound(graph: &Constraints, x: usize, y: usize) -> Option<i64> {
    graph.upper_bound(&name(x).sub(&name(y)).expect("small"))
}

fn bounds(graph: &Constraints) -> Matrix {
    (0..=COUNT).map(|x| (0..=COUNT).map(|y| bound(graph, x, y)).collect()).collect()
}

/// Both forms of a system; nothing when it is unsatisfiable, which both must find.
fn both(all: &[Inequality]) -> Option<(Constraints, Matrix)> {
    let (graph, matrix) = (graph(all), matrix(all));
    assert_eq!(graph.is_some(), matrix.is_some());
    Some((graph?, matrix?))
}

fn pointwise(a: &Matrix, b: &Matrix, f: impl Fn(Option<i64>, Option<i64>) -> Option<i64>) -> Matrix {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()).collect()
}

/// A matrix as a list, which the graph learns from nothing.
fn listed(matrix: &Matrix) -> Vec<Inequality> {
    let ends = || 0..=COUNT;
    ends().flat_map(|x| ends().filter_map(move |y| Some((x, y, matrix[x][y]?)))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn assuming(all in inequalities(16)) {
        let Some((graph, matrix)) = both(&all) else { return Ok(()) };
        prop_assert_eq!(bounds(&graph), matrix);
        let (mut forwards, mut backwards) = (all.clone(), all);
        forwards.sort_unstable();
        backwards.sort_unstable_by_key(|i| std::cmp::Reverse(*i));
        for order in [forwards, backwards] {
            prop_assert!(self::graph(&order).as_ref() == Some(&graph), "the stored form does not depend on the order");
        }
    }

    #[test]
    fn forgetting(all in inequalities(16), gone in prop::array::uniform6(any::<bool>())) {
        let Some((mut graph, mut matrix)) = both(&all) else { return Ok(()) };
        graph.retain(|s| !(0..COUNT).any(|x| gone[x] && s == symbol(x)));
        for (x, y) in (0..=COUNT).flat_map(|x| (0..=COUNT).map(move |y| (x, y))) {
            if x != y && [x, y].iter().any(|&end| end < COUNT && gone[end]) {
                matrix[x][y] = None;
            }
        }
        prop_assert_eq!(bounds(&graph), matrix.clone());
        prop_assert_eq!(Some(graph), self::graph(&listed(&matrix)));
    }

    #[test]
    fn joining(a in inequalities(14), b in inequalities(14)) {
        let (Some((a, m)), Some((b, n))) = (both(&a), both(&b)) else { return Ok(()) };
        let join = a.join(&b);
        let weaker = pointwise(&m, &n, |a, b| Some(a?.max(b?)));
        prop_assert_eq!(bounds(&join), weaker.clone());
        prop_assert_eq!(Some(join), graph(&listed(&weaker)));
        prop_assert_eq!(a.implies(&b), pointwise(&m, &n, tighter) == m);
    }

    /// What the old side says and the new side does not violate, and what follows from that.
    #[test]
    fn widening(a in inequalities(14), b in inequalities(14)) {
        let (Some((a, m)), Some((b, n))) = (both(&a), both(&b)) else { return Ok(()) };
        let kept = pointwise(&m, &n, |a, b| a.filter(|&a| b.is_some_and(|b| b <= a)));
        let closed = close(kept.clone()).expect("both sides satisfy it");
        let wide = a.widen(&b);
        prop_assert_eq!(bounds(&wide), closed.clone());
        prop_assert_eq!(Some(wide), graph(&listed(&closed)));
    }

    #[test]
    fn duplicating(all in inequalities(16), copied in prop::array::uniform6(any::<bool>())) {
        let Some((mut graph, _)) = both(&all) else { return Ok(()) };
        // Copies take names below and above the others.
        let to = |x: usize| Symbol::of(if x.is_multiple_of(2) { x as u32 + 10 } else { x as u32 + 40 });
        let copied: Vec<usize> = (0..COUNT).filter(|&x| copied[x]).collect();
        let names: Vec<_> = copied.iter().map(|&x| (symbol(x), to(x))).collect();
        graph.duplicate(&names);
        // The conjunction, learned from nothing.
        let mut expected = self::graph(&all).expect("satisfiable");
        let copy = |x: usize| if copied.contains(&x) { to(x).into() } else { name(x) };
        for &(x, y, c) in &all {
            let outcome = expected.assume_le(&copy(x), &copy(y).offset(c).expect("small"));
            prop_assert_eq!(outcome, Some(true));
        }
        prop_assert_eq!(graph, expected);
    }

    /// The differences of a generalisation are those that relate what each new symbol stands for on both sides. (It may say more
    /// that is no difference; see `balance.rs`.)
    #[test]
    fn generalising(
        a in inequalities(14),
        b in inequalities(14),
        pairs in prop::collection::vec((0..=COUNT, -3_i64..4, 0..=COUNT, -3_i64..4), 0..7),
        stable in 0..COUNT,
        widen in any::<bool>(),
    ) {
        let (Some((a, _)), Some((b, _))) = (both(&a), both(&b)) else { return Ok(()) };
        let mut symbols = Symbols::default();
        while symbols.fresh(SymbolKind::Joined) < symbol(0) {}
        // symbol(0) was just made; of the others one is stable.
        for x in 1..COUNT {
            let kind = if x == stable { SymbolKind::Input("n".into()) } else { SymbolKind::Joined };
            prop_assert_eq!(symbols.fresh(kind), symbol(x));
        }
        let is_stable = |s: Symbol| s == symbol(stable) && stable > 0;
        let how = if widen { Combine::Widen } else { Combine::Join };
        let mut unifier = Unifier::new(&mut symbols, &a, &b);
        let mut meaning: BTreeMap<Symbol, (Linear, Linear)> = BTreeMap::new();
        for &(x, c, y, d) in &pairs {
            let (old, new) = (name(x).offset(c).expect("small"), name(y).offset(d).expect("small"));
            let joined = unifier.pair(&old, &new).expect("no rank occurs");
            if let Some((symbol, shift)) = joined.as_offset() && !is_stable(symbol) {
                let base = |side: &Linear| side.offset(-shift).expect("small");
                meaning.insert(symbol, (base(&old), base(&new)));
            }
        }
        if stable > 0 && a.mentions(symbol(stable)) && b.mentions(symbol(stable)) {
            meaning.insert(symbol(stable), (name(stable), name(stable)));
        }
        let (facts, _) = unifier.finish(how);
        let mut expected = Constraints::new();
        let zero = (Linear::zero(), (Linear::zero(), Linear::zero()));
        let ends: Vec<_> = meaning.into_iter().map(|(s, m)| (Linear::from(s), m)).chain([zero]).collect();
        for (x, (old_x, new_x)) in &ends {
            for (y, (old_y, new_y)) in &ends {
                let bound = |facts: &Constraints, x: &Linear, y: &Linear| {
                    facts.upper_bound(&x.sub(y).expect("small"))
                };
                let (before, after) = (bound(&a, old_x, old_y), bound(&b, new_x, new_y));
                let kept = match (before, after) {
                    (Some(before), Some(after)) if after <= before => before,
                    (Some(_), Some(after)) if !widen => after,
                    _ => continue,
                };
                let outcome = expected.assume_le(x, &y.offset(kept).expect("small"));
                prop_assert_eq!(outcome, Some(true));
            }
        }
        prop_assert!(facts.inequalities().eq(expected.inequalities()), "{facts:?} is not {expected:?}");
    }
}
