//! Least generalisation of two states, and join and widening of their constraints.
//!
//! Walk two states of the same shape in parallel and hand each pair of expressions to [`Unifier::pair`]. Equal expressions over
//! stable symbols stay; a pair `(a, b)` becomes `s + c`, where `s` is one new symbol for *all* pairs that differ from it by the
//! same constant on both sides. So everything that was equal up to a constant in both states is so in the result, by
//! construction: the counter of a loop, the last rank served and the first rank not served share one symbol.
//! [`Unifier::finish`] then relates the new symbols to each other and to the stable ones.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::constraints::{self, End, Truth};
use crate::{Constraints, Linear, Symbol, SymbolKind, Symbols};

/// Generalises an `old` and a `new` state.
#[derive(Debug)]
pub struct Unifier<'a> {
    symbols: &'a mut Symbols,
    old: &'a Constraints,
    new: &'a Constraints,
    /// New symbol for each pair, normalised so that the old side has no constant part.
    pairs: FxHashMap<(Linear, Linear), Symbol>,
    /// What each new symbol is in the old and in the new state, in order of creation.
    meanings: Vec<(Symbol, Linear, Linear)>,
    /// The new symbols.
    meant: FxHashSet<Symbol>,
}

/// How [`Unifier::finish`] combines the constraints of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// The tightest difference constraints that hold on both sides.
    Join,
    /// Only those of the old side that also hold on the new side: every chain is finite.
    Widen,
}

/// An expression without its constant part.
pub(crate) fn varying(expression: &Linear) -> Linear {
    expression
        .constant()
        .checked_neg()
        .and_then(|k| expression.offset(k))
        .unwrap_or_else(|| expression.clone())
}

impl<'a> Unifier<'a> {
    /// Starts a generalisation.
    pub fn new(symbols: &'a mut Symbols, old: &'a Constraints, new: &'a Constraints) -> Self {
        let (pairs, meanings, meant) = (FxHashMap::default(), Vec::new(), FxHashSet::default());
        Self { symbols, old, new, pairs, meanings, meant }
    }

    /// Whether an expression that both sides have stays what it is.
    #[must_use]
    pub fn keeps(&self, expression: &Linear) -> bool {
        expression.symbols().all(|s| self.symbols.is_stable(s))
    }

    /// The generalisation of a pair; `None` on overflow, or when the two depend differently on the rank, for then no
    /// expression that is uniform in its other symbols describes both.
    pub fn pair(&mut self, old: &Linear, new: &Linear) -> Option<Linear> {
        if let Some(agreed) = self.agreed(old, new) {
            return Some(agreed);
        }
        let ((own, old), (theirs, new)) = (old.split_own(), new.split_own());
        // What members of a set multiply has to mean the same on both sides.
        if own != theirs || !self.keeps(&own) {
            return None;
        }
        let shift = old.constant();
        let key = (old.offset(shift.checked_neg()?)?, new.offset(shift.checked_neg()?)?);
        if !self.pairs.contains_key(&key)
            && let Some(along) = self.along(&old, &new)
        {
            return along.add(&own);
        }
        let symbol = match self.pairs.get(&key) {
            Some(&symbol) => symbol,
            None => {
                let symbol = self.symbols.fresh(SymbolKind::Joined);
                self.meanings.push((symbol, key.0.clone(), key.1.clone()));
                self.meant.insert(symbol);
                self.pairs.insert(key, symbol);
                symbol
            }
        };
        Linear::from(symbol).offset(shift)?.add(&own)
    }

    /// What both sides say of one number, where no new symbol is needed for it.
    #[must_use]
    pub fn agreed(&self, old: &Linear, new: &Linear) -> Option<Linear> {
        let (old_stable, new_stable) = (self.keeps(old), self.keeps(new));
        if old == new && old_stable {
            return Some(old.clone());
        }
        // One side may say in symbols what is true of the other by its constraints: 0 is np - 1 where np is 1. (The rank has no
        // constraints here, so expressions of different slope stay open.)
        if new_stable && new.as_constant().is_none() && self.old.eq(old, new) == Truth::Yes {
            return Some(new.clone());
        }
        if old_stable && old.as_constant().is_none() && self.new.eq(old, new) == Truth::Yes {
            return Some(old.clone());
        }
        // The same number on both sides, which one of them says in symbols that the other does not have.
        for (side, number, facts) in [(new, old, self.new), (old, new, self.old)] {
            if let Some(value) = number.as_constant()
                && facts.constant(side) == Some(value)
            {
                return Some(number.clone());
            }
        }
        None
    }

    /// The same number on both sides, however they say it. What they say it with is given up, which may be tied to other numbers.
    #[must_use]
    pub fn same_number(&self, old: &Linear, new: &Linear) -> Option<Linear> {
        let (old, new) = (self.old.constant(old)?, self.new.constant(new)?);
        (old == new).then(|| old.into())
    }

    /// Two numbers as one that is as far from the number of processes: 1 at two of them and 2 at three is `np - 1`.
    #[must_use]
    pub fn by_np(&self, old: &Linear, new: &Linear) -> Option<Linear> {
        let distance = |value: &Linear, facts: &Constraints| {
            value.as_constant()?.checked_sub(facts.constant(&Linear::np())?)
        };
        let (here, there) = (distance(old, self.old)?, distance(new, self.new)?);
        if here == there { Linear::np().offset(here) } else { None }
    }

    /// The generalisation of a pair that differs by a number, as a multiple of a symbol that differs by a number too: what goes
    /// down while a counter goes up stays tied to it.
    fn along(&self, old: &Linear, new: &Linear) -> Option<Linear> {
        let step = new.sub(old)?.as_constant()?;
        self.meanings.iter().find_map(|(symbol, before, after)| {
            let unit = after.sub(before)?.as_constant()?;
            let slope = step.checked_div(unit).filter(|slope| slope.checked_mul(unit) == Some(step))?;
            // old + slope * (symbol - before) is `old` where the symbol is `before`, and `new` where it is `after`.
            let general =
                old.add_scaled(&(*symbol).into(), slope)?.add_scaled(before, slope.checked_neg()?)?;
            let known = |s: Symbol| self.symbols.is_stable(s) || self.meant.contains(&s);
            let is_known = general.symbols().all(known);
            is_known.then_some(general)
        })
    }

    /// Notes that a new symbol stands for data of which nothing is known.
    pub fn note_input(&mut self, symbol: Symbol) {
        self.symbols.note_input(symbol);
    }

    /// What each new symbol is in the old and in the new state.
    #[must_use]
    pub fn meanings(&self) -> &[(Symbol, Linear, Linear)] {
        &self.meanings
    }

    /// What a pair was generalised to, without introducing anything new.
    #[must_use]
    pub fn known(&self, old: &Linear, new: &Linear) -> Option<Linear> {
        if old == new && self.keeps(old) {
            return Some(old.clone());
        }
        let shift = old.constant();
        let key = (old.offset(shift.checked_neg()?)?, new.offset(shift.checked_neg()?)?);
        match self.pairs.get(&key) {
            Some(symbol) => Linear::from(*symbol).offset(shift),
            None => self.along(old, new),
        }
    }

    /// What is known of a function of expressions on both sides is known of the same function of their generalisations: a
    /// branch that was decided by `residual > limit` in both states stays decided.
    fn generalise_applications(&mut self) {
        let symbols: &Symbols = self.symbols;
        let applications = |facts: &Constraints| -> Vec<(Symbol, &Arc<str>, &[Linear])> {
            let application = |symbol| match symbols.kind(symbol) {
                SymbolKind::Apply(function, arguments) => Some((symbol, function, arguments.as_slice())),
                _ => None,
            };
            facts.symbols().filter_map(application).collect()
        };
        // There may be many of one function: only where first arguments may have become one number can they be one.
        type Kind<'s> = (&'s Arc<str>, usize, Option<Linear>);
        let mut after: FxHashMap<Kind<'_>, Vec<(Symbol, &[Linear])>> = FxHashMap::default();
        for (new, f, ys) in applications(self.new) {
            let first = ys.first().map(varying);
            after.entry((f, ys.len(), first)).or_default().push((new, ys));
        }
        let mut became: FxHashMap<Linear, Vec<Linear>> = FxHashMap::default();
        for (_, old, new) in &self.meanings {
            became.entry(varying(old)).or_default().push(varying(new));
        }
        let mut found: Vec<(Arc<str>, Vec<Linear>, Symbol, Symbol)> = Vec::new();
        for (old, f, xs) in applications(self.old) {
            let first = xs.first().map(varying);
            let others = first.as_ref().and_then(|first| became.get(first)).into_iter().flatten();
            let others =
                others.filter(|&other| Some(other) != first.as_ref()).map(|other| Some(other.clone()));
            let firsts: Vec<Option<Linear>> = std::iter::once(first.clone()).chain(others).collect();
            let same = firsts.into_iter().filter_map(|first| after.get(&(f, xs.len(), first))).flatten();
            for &(new, ys) in same {
                if old == new && symbols.is_stable(old) {
                    continue;
                }
                let arguments: Option<Vec<Linear>> =
                    xs.iter().zip(ys).map(|(x, y)| self.known(x, y)).collect();
                found.extend(arguments.map(|arguments| (Arc::clone(f), arguments, old, new)));
            }
        }
        for (function, arguments, old, new) in found {
            let symbol = self.symbols.apply(&function, arguments);
            if self.meant.insert(symbol) {
                self.meanings.push((symbol, old.into(), new.into()));
            }
        }
    }

    /// Whether each new symbol is a mere renaming of a symbol of the old side, so that the expressions of the result describe no
    /// more than the old ones did.
    fn renames_old(&self) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        self.meanings.iter().all(|(_, old, _)| {
            matches!(old.as_offset(), Some((symbol, 0)) if !self.symbols.is_stable(symbol) && seen.insert(symbol))
        })
    }

    /// Whether the expressions of the result are those of either side with symbols renamed: only constraints can have been lost.
    #[must_use]
    pub fn is_renaming(&self) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        self.renames_old()
            && self.meanings.iter().all(|(_, _, new)| {
                matches!(new.as_offset(), Some((symbol, 0)) if !self.symbols.is_stable(symbol) && seen.insert(symbol))
            })
    }

    /// Constraints of the result, over the new symbols and all stable symbols that both sides constrain; and whether the old
    /// side already described everything that the new side does.
    #[must_use]
    pub fn finish(mut self, combine: Combine) -> (Constraints, bool) {
        self.generalise_applications();
        let mut covered = self.renames_old();
        let mut ends: Vec<End<'_>> = Vec::new();
        for symbol in self.old.symbols().filter(|&s| self.symbols.is_stable(s)) {
            if self.new.mentions(symbol) {
                ends.push(End { symbol, meaning: None });
            } else {
                covered = false;
            }
        }
        ends.extend(
            self.meanings.iter().map(|(symbol, old, new)| End { symbol: *symbol, meaning: Some((old, new)) }),
        );
        let (mut facts, holds) = constraints::combine(self.old, self.new, &ends, combine);
        facts.balance(self.old, self.new, &ends);
        (facts, covered && holds)
    }
}
