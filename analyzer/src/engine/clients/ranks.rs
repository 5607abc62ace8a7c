//! RankList of all paths, as the user reads them.

use lattice::{Constraints, Linear, Range, Ranks};

use crate::engine::Engine;
use crate::engine::findings::{ranks_text, shown_ranks};

/// RankList that something was seen on, along any path.
#[derive(Clone, Debug, Default)]
pub(super) struct RankList {
    /// In symbols that mean something to the user, with what was known on the path.
    ranges: Vec<(Ranks, Constraints)>,
    /// Too many to list, or not known.
    all: bool,
}

/// Ranges that are listed.
const RANGES: usize = 32;

impl RankList {
    /// Adds a range of one path. A range that another path describes too is not listed again.
    pub(super) fn add(&mut self, engine: &Engine<'_>, range: &Ranks, facts: &Constraints) {
        if self.all {
            return;
        }
        let shown = hull(engine, range, facts);
        if self.ranges.iter().any(|(known, _)| known.same(&shown, facts)) {
            return;
        }
        self.ranges.retain(|(known, theirs)| !known.same(&shown, theirs));
        self.ranges.push((shown, facts.clone()));
        self.all = RANGES < self.ranges.len();
    }

    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    pub(super) fn add_ranks(&mut self, engine: &Engine<'_>, other: &Self) {
        self.all |= other.all;
        other.ranges.iter().for_each(|(range, facts)| self.add(engine, range, facts));
    }

    pub(super) fn text(&self, engine: &Engine<'_>) -> String {
        if self.all { "[0..np-1]".to_owned() } else { merged(engine, &self.ranges) }
    }
}

/// The smallest range around some ranks whose bounds mean something to the user; the ranks themselves, where they are a box of which
/// that is true.
fn hull(engine: &Engine<'_>, ranks: &Ranks, facts: &Constraints) -> Ranks {
    let shown = shown_ranks(engine, ranks, facts);
    if shown.display(&engine.symbols).is_some() {
        return shown;
    }
    let range = ranks.hull().unwrap_or_else(Range::world);
    let stable = |value: &Linear| value.symbols().all(|symbol| engine.symbols.is_stable(symbol));
    let lo = Some(engine.presentable(&range.lo, facts)).filter(stable);
    let hi = Some(engine.presentable(&range.hi, facts)).filter(stable);
    let least = || facts.lower_bound(&range.lo).unwrap_or(0).max(0).into();
    let most = || {
        let np = Linear::np();
        let constant = facts.upper_bound(&range.hi).map(Linear::from);
        let relative = || np.offset(facts.upper_bound(&range.hi.sub(&np)?)?);
        constant.or_else(relative).or_else(|| np.offset(-1)).unwrap_or(np)
    };
    Range { lo: lo.unwrap_or_else(least), hi: hi.unwrap_or_else(most) }.into()
}

/// The ranges as one text; neighbours with constant bounds as one range.
pub(super) fn merged(engine: &Engine<'_>, ranges: &[(Ranks, Constraints)]) -> String {
    let mut constant: Vec<(i64, i64)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for (ranks, facts) in ranges {
        let ends = ranks.as_range().and_then(|r| facts.constant(&r.lo).zip(facts.constant(&r.hi)));
        match ends {
            Some(ends) => constant.push(ends),
            None => others.push(ranks_text(engine, ranks, facts)),
        }
    }
    constant.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (lo, hi) in constant {
        match merged.last_mut() {
            Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
    others.sort_unstable();
    others.dedup();
    let texts = merged.into_iter().map(|(lo, hi)| format!("[{lo}..{hi}]")).chain(others);
    texts.collect::<Vec<_>>().join(", ")
}
