//! Equalities `x + y = z + c` that hold on both sides of a join or widening.
//!
//! A graph of differences forgets what ties three numbers to each other: of `n` workers `stopped` have been stopped and
//! `active` have not, and while one goes up and the other down, their sum stays. That such a sum is the same constant away from the
//! third number on both sides is seen from the two sides alone, so it holds for all that the join describes. It is kept beside
//! the graph, with the other inequalities that are no differences.
//!
//! A widening may find them too, and its chains stay finite: what is found follows from the old side, and of linear equalities
//! among finitely many names one can be lost only as often as there are names (Karr 1976).

use super::combine::End;
use super::graph::Entry;
use super::{Constraints, Truth};
use crate::unify::varying;
use crate::{Linear, Symbol};
use rustc_hash::FxHashSet;

/// Numbers among which equalities are looked for; where there are more, none are.
const LIMIT: usize = 16;

impl Constraints {
    /// Learns the equalities of three numbers that hold on both sides, as far as there is room for them.
    pub(crate) fn balance(&mut self, old: &Self, new: &Self, ends: &[End<'_>]) {
        let is_free = |symbol: Symbol| {
            matches!(self.graph.entry(symbol), Some(Entry::Vertex(_))) || self.graph.entry(symbol).is_none()
        };
        let mut names: Vec<Name> = Vec::new();
        for end in ends.iter().filter(|end| is_free(end.symbol)) {
            let itself = Linear::from(end.symbol);
            let (before, after) = end.meaning.unwrap_or((&itself, &itself));
            let sides = [old.graph.simplified(before), new.graph.simplified(after)];
            names.push(Name { symbol: end.symbol, is_new: end.meaning.is_some(), sides });
        }
        if names.len() > LIMIT {
            return;
        }
        let sides = [old, new].map(Side::of);
        for (index, x) in names.iter().enumerate() {
            for (second, y) in names.iter().enumerate().skip(index + 1) {
                let others =
                    names.iter().enumerate().filter(|(third, _)| *third != index && *third != second);
                for z in std::iter::once(None).chain(others.map(|(_, z)| Some(z))) {
                    if [Some(x), Some(y), z].into_iter().flatten().any(|name| name.is_new) {
                        self.balance_one(x, y, z, &sides);
                    }
                }
            }
        }
    }

    fn balance_one(&mut self, x: &Name, y: &Name, z: Option<&Name>, sides: &[Side<'_>; 2]) -> Option<()> {
        let sum = |side: usize| {
            let sum = x.sides[side].add(&y.sides[side])?;
            z.map_or(Some(sum.clone()), |z| sum.sub(&z.sides[side]))
        };
        let constant = sides[0].balanced(&sum(0)?)?;
        if sides[1].balanced(&sum(1)?)? != constant {
            return None;
        }
        let left = Linear::from(x.symbol).add(&y.symbol.into())?;
        let right = Linear::from(constant).add(&z.map_or(Linear::zero(), |z| z.symbol.into()))?;
        if Self::eq(self, &left, &right) != Truth::Yes && !self.sums.is_full() {
            let _ = self.assume_eq(&left, &right);
        }
        Some(())
    }
}

/// What is known on one side.
struct Side<'a> {
    facts: &'a Constraints,
    /// The inequalities beside the graph, simplified and without their constant parts.
    sums: FxHashSet<Linear>,
}

impl<'a> Side<'a> {
    fn of(facts: &'a Constraints) -> Self {
        Self { facts, sums: facts.sums.iter().map(|sum| varying(&facts.graph.simplified(sum))).collect() }
    }

    /// The value of an expression that is a constant by the classes of the graph, or by inequalities beside it that say so in as
    /// many words.
    fn balanced(&self, expression: &Linear) -> Option<i64> {
        let simple = self.facts.graph.simplified(expression);
        if let Some(constant) = simple.as_constant() {
            return Some(constant);
        }
        if self.sums.contains(&varying(&simple)) { self.facts.constant(&simple) } else { None }
    }
}

/// A number of the result, and what it is on either side.
struct Name {
    symbol: Symbol,
    is_new: bool,
    sides: [Linear; 2],
}
