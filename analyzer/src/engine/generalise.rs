//! Generalising two states of equal shape: one that describes what both describe, joined or widened.
//!
//! The parts of the states are joined by [`Join`], which ties numbers that differ by the same constant everywhere to one symbol; what
//! is known of these symbols is then joined as constraints. A bound that is widened away stops at the next number that the program
//! compares with.

use std::collections::{BTreeMap, BTreeSet};

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Symbol, SymbolKind, Truth, Unifier};
use rustc_hash::FxHashSet;

use super::Engine;
use super::alike::is_named;
use super::clients::{Client, Knowledge, Known};
use super::join::Join;
use super::memory::{Content, Memory, ObjectId, ObjectKind, UNDEFINED_BYTES, ZERO_BYTES};
use super::state::{ProcessSet, State};

impl Engine<'_> {
    /// A state that describes all that `old` and `new` describe. Both have the same shape; `None` when they differ in something
    /// that has no common description.
    ///
    /// With `own`, the new state is on a path from the old one; otherwise numbers of messages that differ are given up, since
    /// nothing that a process does depends on them.
    pub(crate) fn generalise(
        &mut self,
        old: &State,
        new: &State,
        combine: Combine,
        own: bool,
    ) -> Option<General> {
        let mut old = old.clone();
        let mut new = new.clone();
        let (mut same, mut lost) = (true, false);
        for (a, b) in old.sets.iter_mut().zip(&mut new.sets) {
            self.align(&mut a.memory, &mut b.memory);
            let blunted = self.blunt(&mut a.memory, &mut b.memory);
            same &= !blunted.0;
            lost |= blunted.0 || blunted.1;
        }
        let is_data = |object: ObjectId, content: &Content| match self.objects.kind(object) {
            ObjectKind::Heap(..) => {
                content.series.is_empty() && content.cells.values().all(|(_, value)| self.is_opaque(value))
            }
            _ => !self.decides(object),
        };
        // Objects whose content decides nothing.
        let mut data = FxHashSet::default();
        for set in old.sets.iter().chain(&new.sets) {
            data.extend(set.memory.objects().map(|(object, _)| object));
        }
        for set in old.sets.iter().chain(&new.sets) {
            for (object, content) in set.memory.objects() {
                if !is_data(object, content) {
                    data.remove(&object);
                }
            }
        }
        let [zero, undefined] =
            [ZERO_BYTES, UNDEFINED_BYTES].map(|name| self.symbols.apply(name, Vec::new()));
        let (fixed, orders) = (self.fixed.is_some(), self.follows_orders());
        let unifier = Unifier::new(&mut self.symbols, &old.facts, &new.facts);
        let mut join = Join {
            unifier,
            same,
            lost,
            own,
            fixed,
            orders,
            apart: false,
            zero,
            undefined,
            only: (None, None),
        };
        let mut sets = Vec::with_capacity(old.sets.len());
        for (a, b) in old.sets.iter().zip(&new.sets) {
            // A mere name tells nothing of what depends on the rank.
            let named =
                is_named(&old.alike, &a.ranks, &old.facts) || is_named(&new.alike, &b.ranks, &new.facts);
            join.only = if named {
                (None, None)
            } else {
                (Some((&a.ranks, &old.facts)), Some((&b.ranks, &new.facts)))
            };
            sets.push(ProcessSet {
                ranks: join.ranks(&a.ranks, &b.ranks)?,
                frames: a.frames.clone(),
                status: join.status(&a.status, &b.status)?,
                paused: None,
                phase: a.phase,
                memory: join.memory(&a.memory, &b.memory, &data),
                handles: join.handles(&a.handles, &b.handles)?,
                asking: a.asking,
                known: Known::generalise(&a.known, &b.known, &mut join)?,
            });
        }
        join.only = (None, None);
        let in_flight = join.all(&old.in_flight, &new.in_flight, Join::in_flight)?;
        let posted = join.all(&old.posted, &new.posted, Join::posted)?;
        let arrived = join.all(&old.arrived, &new.arrived, Join::arrived)?;
        let entered = join.all(&old.entered, &new.entered, Join::entered)?;
        let alike = join.all(&old.alike, &new.alike, Join::ranks)?;
        let guises = join.all(&old.guises, &new.guises, Join::guise)?;
        let clients = self.clients.generalise(&old.clients, &new.clients, &mut join)?;
        if join.apart {
            return None;
        }
        let Join { unifier, same, lost, .. } = join;
        let renaming = unifier.is_renaming();
        let meanings = unifier.meanings().to_vec();
        let (mut facts, covered) = unifier.finish(combine);
        if combine == Combine::Widen && !covered {
            self.keep_thresholds(&mut facts, &sets, &meanings, &old.facts, &new.facts);
        }
        let kept = !lost
            && differ_in_one(&self.symbols, &old.facts, &new.facts)
            && !relate_differently(&self.symbols, &old.facts, &new.facts);
        let lossless = kept && renaming;
        let vague = self.vague(&meanings, &old, &new);
        let state = State {
            facts,
            sets,
            in_flight,
            posted,
            arrived,
            entered,
            alike,
            guises,
            clients,
            forked: false,
            branched: false,
            guessed: false,
            deciding: false,
            quiet: 0,
            unstored: 0,
            waits: new.waits,
            blurred: old.blurred || new.blurred || !kept,
            vague,
            lineage: old.lineage,
        };
        Some(General { state, covered: covered && same, lossless })
    }

    /// Those of the new symbols that may be more than they were on either side.
    fn vague(&self, meanings: &[(Symbol, Linear, Linear)], old: &State, new: &State) -> Vec<Symbol> {
        let was_vague = |value: &Linear, state: &State| {
            self.symbols.is_made_from(value, |symbol| state.vague.contains(&symbol))
        };
        // Where each of them is an input on one side of which nothing is known, that side describes the other one.
        let describes = |side: &dyn Fn(&(Symbol, Linear, Linear)) -> Linear| {
            let values: Vec<Linear> = meanings.iter().map(side).collect();
            let mut seen = FxHashSet::default();
            values.iter().all(|value| {
                matches!(value.as_offset(), Some((symbol, 0))
                    if matches!(self.symbols.kind(symbol), SymbolKind::Input(_))
                        && seen.insert(symbol)
                        && [old, new].iter().all(|state| !self.is_known(&state.facts, symbol)))
            })
        };
        let (describes_new, describes_old) = (describes(&|m| m.1.clone()), describes(&|m| m.2.clone()));
        // Another name for what was a name of nothing else.
        let is_renamed = |(_, a, b): &(Symbol, Linear, Linear)| {
            let is_name = |value: &Linear| matches!(value.as_offset(), Some((symbol, 0)) if !self.symbols.is_stable(symbol));
            let only = meanings.iter().filter(|(_, x, y)| x == a || y == b).count() == 1;
            is_name(a) && is_name(b) && only
        };
        let vague = meanings.iter().filter(|meaning| match (describes_new, describes_old) {
            (true, _) => was_vague(&meaning.1, old),
            (_, true) => was_vague(&meaning.2, new),
            _ => !is_renamed(meaning) || was_vague(&meaning.1, old) || was_vague(&meaning.2, new),
        });
        vague.map(|(symbol, ..)| *symbol).collect()
    }

    /// Whether something is known of a symbol, or of what is computed from it.
    fn is_known(&self, facts: &Constraints, symbol: Symbol) -> bool {
        facts.symbols().any(|known| self.symbols.is_made_from(&known.into(), |s| s == symbol))
    }

    /// Bounds a widened number by the next number that the program compares with: a counter that stops at 20 stays below.
    /// Each number of the program stops a chain of widenings at most once, so every chain is finite still.
    ///
    /// A counter is `symbol + offset`; the offsets with which a symbol occurs tell which numbers concern it.
    fn keep_thresholds(
        &self,
        facts: &mut Constraints,
        sets: &[ProcessSet],
        meanings: &[(Symbol, Linear, Linear)],
        old: &Constraints,
        new: &Constraints,
    ) {
        let offsets = offsets(sets);
        for (symbol, before, after) in meanings {
            let Some(offsets) = offsets.get(symbol) else { continue };
            let limits: BTreeSet<i64> = offsets
                .iter()
                .flat_map(|offset| {
                    self.ground.thresholds.iter().filter_map(|limit| limit.checked_sub(*offset))
                })
                .collect();
            if self.fixed.is_none() {
                self.keep_order(facts, *symbol, offsets, (old, before), (new, after));
            }
            let symbol = Linear::from(*symbol);
            let most = old.upper_bound(before).zip(new.upper_bound(after)).map(|(a, b)| a.max(b));
            if facts.upper_bound(&symbol).is_none()
                && let Some(most) = most
                && let Some(&limit) = limits.range(most..).next()
            {
                facts.learn(&symbol, &limit.into());
            }
            let least = old.lower_bound(before).zip(new.lower_bound(after)).map(|(a, b)| a.min(b));
            if facts.lower_bound(&symbol).is_none()
                && let Some(least) = least
                && let Some(&limit) = limits.range(..=least).next_back()
            {
                facts.learn(&limit.into(), &symbol);
            }
        }
    }

    /// The same for what is known of a widened number and one that stays what it is: a counter that stops at the number of processes
    /// does not go beyond it. The next order between that number and a variable of the program is kept.
    fn keep_order(
        &self,
        facts: &mut Constraints,
        symbol: Symbol,
        offsets: &BTreeSet<i64>,
        (old, before): (&Constraints, &Linear),
        (new, after): (&Constraints, &Linear),
    ) {
        let stays = |&s: &Symbol| self.symbols.is_stable(s) && self.symbols.is_quantity(s) && new.mentions(s);
        for other in old.symbols().filter(stays).collect::<Vec<_>>() {
            let end = Linear::from(other);
            let most = |facts: &Constraints, value: &Linear, sign: i64| {
                facts.upper_bound(&value.sub(&end)?.scale(sign)?)
            };
            // symbol + offset may be less than the end, or the end itself: then it is not more.
            for (sign, near) in [(1, 0), (1, -1), (-1, 0), (-1, 1)] {
                let Some(most) = most(old, before, sign).zip(most(new, after, sign)).map(|(a, b)| a.max(b))
                else {
                    continue;
                };
                let Some(known) = Linear::from(symbol).sub(&end).and_then(|e| e.scale(sign)) else {
                    continue;
                };
                let limits = offsets.iter().filter_map(|offset| (near - offset).checked_mul(sign));
                if let Some(limit) = limits.filter(|limit| most <= *limit).min()
                    && facts.upper_bound(&known).is_none_or(|bound| limit < bound)
                {
                    facts.learn(&known, &limit.into());
                }
            }
        }
    }

    /// Puts series that have no counterpart in the other memory into symbols; whether the old memory has lost any, and the new one.
    fn blunt(&mut self, old: &mut Memory, new: &mut Memory) -> (bool, bool) {
        let mut blunted = (false, false);
        for object in new.objects().map(|(object, _)| object).collect::<Vec<_>>() {
            let (Some(a), Some(b)) = (old.get(object), new.get(object)) else { continue };
            if a.series.is_empty() && b.series.is_empty() {
                continue;
            }
            let alike =
                a.series.len() == b.series.len() && a.series.iter().zip(&b.series).all(|(a, b)| a.is_like(b));
            if !(alike || a.is_untouched() || b.is_untouched()) {
                blunted.0 |= !a.series.is_empty();
                blunted.1 |= !b.series.is_empty();
                self.dissolve(old, object);
                self.dissolve(new, object);
            }
        }
        blunted
    }

    /// Gives both memories the same objects, where possible with the content that the absent side would show on a read.
    pub(crate) fn align(&mut self, a: &mut Memory, b: &mut Memory) {
        let only = |x: &Memory, y: &Memory| -> Vec<_> {
            x.objects().map(|(object, _)| object).filter(|&object| y.get(object).is_none()).collect()
        };
        for object in only(a, b) {
            self.ensure(b, object);
        }
        for object in only(b, a) {
            self.ensure(a, object);
        }
    }
}

/// What two states have in common.
pub(crate) struct General {
    pub(crate) state: State,
    /// The old state described it already.
    pub(crate) covered: bool,
    /// It describes nothing that neither state describes, as far as can be told.
    pub(crate) lossless: bool,
}

/// Whether the bounds of no more than one quantity differ, and those of the number of processes leave no gap: then what holds on
/// either side describes no more than both.
fn differ_in_one(symbols: &lattice::Symbols, a: &Constraints, b: &Constraints) -> bool {
    let bounds = |facts: &Constraints, symbol: Symbol| {
        (facts.lower_bound(&symbol.into()), facts.upper_bound(&symbol.into()))
    };
    let mut all: Vec<Symbol> = a.symbols().chain(b.symbols()).filter(|&s| symbols.is_stable(s)).collect();
    all.sort_unstable();
    all.dedup();
    let differing: Vec<Symbol> = all.into_iter().filter(|&s| bounds(a, s) != bounds(b, s)).collect();
    match differing[..] {
        [] => true,
        [Symbol::NP] => {
            let ((least, most), (first, last)) = (bounds(a, Symbol::NP), bounds(b, Symbol::NP));
            let meets = |high: Option<i64>, low: Option<i64>| match (high, low) {
                (Some(high), Some(low)) => low <= high.saturating_add(1),
                _ => true,
            };
            meets(most, first) && meets(last, least)
        }
        // Outcomes of tests: each is 0 or 1.
        [one] => !symbols.is_quantity(one),
        _ => false,
    }
}

/// Whether each side knows an order of inputs that the other one does not know. What both have in common then describes more than the two:
/// `a < b` and `a > b` have nothing in common, which also describes `a == b`. Nothing is lost where the orders leave no gap: `a <= b` and
/// `a > b` are all there is.
fn relate_differently(symbols: &lattice::Symbols, a: &Constraints, b: &Constraints) -> bool {
    let (only_a, only_b) = (orders_beyond(symbols, a, b), orders_beyond(symbols, b, a));
    match (&only_a[..], &only_b[..]) {
        ([], _) | (_, []) => false,
        // `x <= 0`, and `1 - x <= 0`.
        ([one], [other]) => one.add(other).and_then(|sum| sum.as_constant()) != Some(1),
        _ => true,
    }
}

/// What one side knows of the order of several numbers, inputs among them, and the other does not: each is not positive.
fn orders_beyond(symbols: &lattice::Symbols, known: &Constraints, other: &Constraints) -> Vec<Linear> {
    let stable: Vec<Symbol> = known.symbols().filter(|&symbol| symbols.is_stable(symbol)).collect();
    let pairs = stable.iter().flat_map(|&x| stable.iter().map(move |&y| (x, y)));
    let pairs = pairs.filter(|&(x, y)| x != y && (symbols.is_input(x) || symbols.is_input(y)));
    let differences = pairs.filter_map(|(x, y)| {
        let most = known.difference_bound(Some(x), Some(y))?;
        // What follows from the bounds of each is no order.
        let ends = known.upper_bound(&x.into()).zip(known.lower_bound(&y.into()));
        let order = Linear::from(x).sub(&y.into())?.offset(most.checked_neg()?);
        order.filter(|_| ends.is_none_or(|(greatest, least)| most < greatest.saturating_sub(least)))
    });
    let stable = |order: &Linear| order.symbols().all(|symbol| symbols.is_stable(symbol));
    let sums = known.sums().filter(|sum| stable(sum) && sum.symbols().any(|symbol| symbols.is_input(symbol)));
    let orders = differences.chain(sums.cloned());
    orders.filter(|order| other.le(order, &Linear::zero()) != Truth::Yes).collect()
}

/// The constants that are added to each symbol in the variables of some sets; of a multiple of a symbol, its share of them.
fn offsets(sets: &[ProcessSet]) -> BTreeMap<Symbol, BTreeSet<i64>> {
    let mut found: BTreeMap<Symbol, BTreeSet<i64>> = BTreeMap::new();
    for set in sets {
        for (_, value) in set.memory.objects().flat_map(|(_, content)| content.cells.values()) {
            let Some(value) = value.as_int() else { continue };
            let mut terms = value.terms();
            if let (Some((symbol, times @ 1..)), None) = (terms.next(), terms.next()) {
                let share = value.constant().div_euclid(times);
                let rest = i64::from(value.constant().rem_euclid(times) != 0);
                found.entry(symbol).or_default().extend([share, share + rest]);
            }
        }
    }
    found
}
