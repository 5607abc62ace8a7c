//! RankList of all paths, as the user reads them.

use lattice::{Constraints, Linear, Range, Ranks};

use crate::engine::Engine;
use crate::engine::findings::{ranks_text, shown_ranks};

/// RankList that something was seen on, along any path.
#[derive(Clone, Debug, Default)]
pub(super) struct RankList {
    /// In symbols that mean something to the user, with what was known on each path that brought them.
    ranges: Vec<(Ranks, Vec<Constraints>)>,
    /// Too many to list, or not known.
    all: bool,
}

/// Ranges that are listed.
const RANGES: usize = 32;
/// Paths that are kept of one range: one that has more stays.
const PATHS: usize = 8;

impl RankList {
    /// Adds a range of one path. A range that another path describes too is not listed again.
    pub(super) fn add(&mut self, engine: &Engine<'_>, range: &Ranks, facts: &Constraints) {
        if self.all {
            return;
        }
        let shown = hull(engine, range, facts);
        if let Some((_, paths)) = self.ranges.iter_mut().find(|(known, _)| known.same(&shown, facts)) {
            if paths.len() < PATHS {
                paths.push(facts.clone());
            }
            return;
        }
        let is_covered = |known: &Ranks, paths: &[Constraints]| {
            paths.len() < PATHS && paths.iter().all(|theirs| known.same(&shown, theirs))
        };
        let mut paths = vec![facts.clone()];
        self.ranges.retain_mut(|(known, theirs)| {
            let covered = is_covered(known, theirs);
            if covered {
                paths.append(theirs);
            }
            !covered
        });
        self.ranges.push((shown, paths));
        self.all = RANGES < self.ranges.len();
    }

    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    pub(super) fn add_ranks(&mut self, engine: &Engine<'_>, other: &Self) {
        self.all |= other.all;
        for (range, paths) in &other.ranges {
            paths.iter().for_each(|facts| self.add(engine, range, facts));
        }
    }

    pub(super) fn text(&self, engine: &Engine<'_>) -> String {
        if self.all {
            return "[0..np-1]".to_owned();
        }
        let first =
            |(ranks, paths): &(Ranks, Vec<Constraints>)| Some((ranks.clone(), paths.first()?.clone()));
        merged(engine, &self.ranges.iter().filter_map(first).collect::<Vec<_>>())
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

/// The same with ranges as one that lie side by side, whatever the number of processes is.
fn side_by_side(ranges: &[(Ranks, Constraints)]) -> Vec<(Ranks, Constraints)> {
    let mut joined: Vec<(Ranks, Constraints)> = Vec::new();
    for range in ranges {
        if !joined.iter().any(|(known, _)| *known == range.0) {
            joined.push(range.clone());
        }
    }
    let next_to = |a: &Ranks, b: &Ranks| {
        let (a, b) = (a.as_range()?, b.as_range()?);
        (a.hi.offset(1)? == b.lo).then(|| Ranks::from(Range { lo: a.lo.clone(), hi: b.hi.clone() }))
    };
    'again: loop {
        for i in 0..joined.len() {
            for j in 0..joined.len() {
                if let Some(both) = next_to(&joined[i].0, &joined[j].0) {
                    // What holds on one path need not hold on the other.
                    joined.remove(j.max(i));
                    joined.remove(j.min(i));
                    joined.retain(|(known, _)| *known != both);
                    joined.push((both, Constraints::default()));
                    continue 'again;
                }
            }
        }
        return joined;
    }
}

/// The ranges as one text; neighbours with constant bounds as one range.
pub(super) fn merged(engine: &Engine<'_>, ranges: &[(Ranks, Constraints)]) -> String {
    let mut constant: Vec<(i64, i64)> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for (ranks, facts) in &side_by_side(ranges) {
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
