//! Generalising two states of equal shape: one that describes what both describe, joined or widened.
//!
//! The parts of the states are joined by [`Join`], which ties numbers that differ by the same constant everywhere to one symbol; what
//! is known of these symbols is then joined as constraints. A bound that is widened away stops at the next number that the program
//! compares with.

use std::collections::{BTreeMap, BTreeSet};

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Symbol, Unifier};
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
        let lossless = !lost && renaming && differ_in_one(&self.symbols, &old.facts, &new.facts);
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
            blurred: old.blurred || new.blurred || !lossless,
            lineage: old.lineage,
        };
        Some(General { state, covered: covered && same, lossless })
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

/// The constants that are added to each symbol in the variables of some sets.
fn offsets(sets: &[ProcessSet]) -> BTreeMap<Symbol, BTreeSet<i64>> {
    let mut found: BTreeMap<Symbol, BTreeSet<i64>> = BTreeMap::new();
    for set in sets {
        for (_, value) in set.memory.objects().flat_map(|(_, content)| content.cells.values()) {
            if let Some((symbol, offset)) = value.as_int().and_then(Linear::as_offset) {
                found.entry(symbol).or_default().insert(offset);
            }
        }
    }
    found
}
