//! Sets of ranks that are known at some numbers of processes, as the simplest formula that gives each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The ranks at each of some numbers of processes.
pub(crate) type RanksAt = BTreeMap<i64, BTreeSet<i64>>;

/// One end of a run of ranks: `factor * (np / divisor) + offset`, or `np - np / divisor + offset` where it is told from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    factor: i64,
    divisor: i64,
    offset: i64,
    from_above: bool,
}

/// Ranks from one end to another, each so far from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    lo: End,
    hi: End,
    /// At least 1.
    step: i64,
}

/// Runs of ranks, none of which need be there at every number of processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Formula {
    runs: Vec<Run>,
}

/// Divisors of `np` that are tried.
const DIVISORS: std::ops::RangeInclusive<i64> = 2..=4;
/// How far from a part of `np` an end may be.
const NEAR: i64 = 4;
/// Runs of one formula.
const RUNS: usize = 6;
/// Numbers of processes from which on parts of `np` are tried: of few anything can be made.
const MANY: usize = 8;
/// Members from which on ranks at equal distances are one run.
const REGULAR: usize = 3;
/// Numbers of processes, the greatest ones, at which runs are looked for.
const LOOKED_AT: usize = 4;

impl End {
    const fn number(offset: i64) -> Self {
        Self { factor: 0, divisor: 1, offset, from_above: false }
    }

    fn at(self, np: i64) -> i64 {
        let part = self.factor * (np / self.divisor) + self.offset;
        if self.from_above { np - np / self.divisor + self.offset } else { part }
    }

    /// What a number may be, where there are so many processes; the simplest first.
    fn candidates(value: i64, np: i64, parts: bool) -> Vec<Self> {
        let mut all = vec![Self::number(value)];
        let part = |factor: i64, divisor: i64| {
            let offset = value - factor * (np / divisor);
            Self { factor, divisor, offset, from_above: false }
        };
        all.push(part(1, 1));
        for divisor in DIVISORS.filter(|_| parts) {
            let above = Self { factor: 1, divisor, offset: value - (np - np / divisor), from_above: true };
            let near = [part(1, divisor), part(divisor, divisor), above];
            all.extend(near.into_iter().filter(|end| end.offset.abs() <= NEAR));
        }
        all
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.factor, self.divisor) {
            (0, _) => return write!(f, "{}", self.offset),
            (_, divisor) if self.from_above => write!(f, "np-np/{divisor}")?,
            (1, 1) => f.write_str("np")?,
            (1, divisor) => write!(f, "np/{divisor}")?,
            (factor, divisor) => write!(f, "{factor}*(np/{divisor})")?,
        }
        if self.offset == 0 { Ok(()) } else { write!(f, "{:+}", self.offset) }
    }
}

impl Run {
    fn members(self, np: i64) -> impl Iterator<Item = i64> {
        let step = usize::try_from(self.step).unwrap_or(1);
        (self.lo.at(np)..=self.hi.at(np)).step_by(step)
    }
}

impl Formula {
    /// The simplest formula that gives these ranks at each of these numbers of processes; `None` where none of the forms does.
    pub(crate) fn of(ranks: &RanksAt) -> Option<Self> {
        if let [(_, only)] = ranks.iter().collect::<Vec<_>>()[..] {
            return Some(Self::numbers(only));
        }
        let parts = MANY <= ranks.len();
        ranks.iter().rev().take(LOOKED_AT).find_map(|(&np, there)| {
            [Some(dense(there)), regular(there)]
                .into_iter()
                .flatten()
                .find_map(|runs| fitting(&runs, np, ranks, parts))
        })
    }

    /// These ranks, as they are.
    pub(crate) fn numbers(ranks: &BTreeSet<i64>) -> Self {
        let runs = regular(ranks).unwrap_or_else(|| dense(ranks));
        let run = |(lo, hi, step)| Run { lo: End::number(lo), hi: End::number(hi), step };
        Self { runs: runs.into_iter().map(run).collect() }
    }

    fn at(&self, np: i64) -> BTreeSet<i64> {
        self.runs.iter().flat_map(|run| run.members(np)).collect()
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Run { lo, hi, step }) in self.runs.iter().enumerate() {
            if 0 < index {
                f.write_str(", ")?;
            }
            write!(f, "[{lo}..{hi}]")?;
            if *step != 1 {
                write!(f, " step {step}")?;
            }
        }
        Ok(())
    }
}

/// Ranks as runs without gaps: the first and the last of each, and 1.
fn dense(ranks: &BTreeSet<i64>) -> Vec<(i64, i64, i64)> {
    let mut all: Vec<(i64, i64, i64)> = Vec::new();
    for &rank in ranks {
        match all.last_mut() {
            Some(last) if last.1 + 1 == rank => last.1 = rank,
            _ => all.push((rank, rank, 1)),
        }
    }
    all
}

/// Ranks as one run of which each is more than one from the next: the first, the last, and how far they are apart.
fn regular(ranks: &BTreeSet<i64>) -> Option<Vec<(i64, i64, i64)>> {
    let all: Vec<i64> = ranks.iter().copied().collect();
    let step = all.get(1)?.checked_sub(all[0])?;
    let is_regular = REGULAR <= all.len() && 1 < step && all.windows(2).all(|pair| pair[1] - pair[0] == step);
    let last = *all.last()?;
    is_regular.then(|| vec![(all[0], last, step)])
}

/// A formula of which these are the runs at one number of processes, if it gives the ranks at all of them.
fn fitting(runs: &[(i64, i64, i64)], np: i64, ranks: &RanksAt, parts: bool) -> Option<Formula> {
    if runs.is_empty() || RUNS < runs.len() {
        return None;
    }
    let formula =
        Formula { runs: runs.iter().map(|&run| widest(run, np, ranks, parts)).collect::<Option<_>>()? };
    // Runs that others hold say nothing.
    let gives_all = |formula: &Formula| ranks.iter().all(|(&np, there)| formula.at(np) == *there);
    let mut formula = Some(formula).filter(gives_all)?;
    let mut index = 0;
    while index < formula.runs.len() {
        let mut fewer = formula.clone();
        fewer.runs.remove(index);
        if gives_all(&fewer) { formula = fewer } else { index += 1 }
    }
    Some(formula)
}

/// The run that holds the most of the ranks and no others, of those that are this one at one number of processes.
fn widest((lo, hi, step): (i64, i64, i64), np: i64, ranks: &RanksAt, parts: bool) -> Option<Run> {
    let mut best: Option<(usize, Run)> = None;
    let ends = (hi..hi + step).rev().flat_map(|end| {
        End::candidates(end, np, parts).into_iter().filter(move |c| end == hi || c.factor != 0)
    });
    let mut ends: Vec<End> = ends.collect();
    // A form without division is simpler than one with it.
    ends.sort_by_key(|end| end.divisor);
    for lo in End::candidates(lo, np, parts) {
        for &hi in &ends {
            let run = Run { lo, hi, step };
            let held = ranks.iter().try_fold(0, |held, (&np, there)| {
                run.members(np).try_fold(held, |held, rank| there.contains(&rank).then_some(held + 1))
            });
            if let Some(held) = held
                && best.is_none_or(|(most, _)| most < held)
            {
                best = Some((held, run));
            }
        }
    }
    best.map(|(_, run)| run)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(counts: std::ops::RangeInclusive<i64>, members: impl Fn(i64, i64) -> bool) -> String {
        let ranks = counts.map(|np| (np, (0..np).filter(|&rank| members(np, rank)).collect()));
        let ranks: RanksAt = ranks.filter(|(_, ranks): &(i64, BTreeSet<i64>)| !ranks.is_empty()).collect();
        Formula::of(&ranks).map_or_else(|| "none".to_owned(), |formula| formula.to_string())
    }

    #[test]
    fn sets_are_told_as_a_person_would() {
        assert_eq!(told(1..=20, |_, _| true), "[0..np-1]");
        assert_eq!(told(1..=20, |_, rank| rank % 2 == 0), "[0..np-1] step 2");
        assert_eq!(told(2..=20, |_, rank| rank % 2 == 1), "[1..np-1] step 2");
        assert_eq!(told(2..=20, |np, rank| rank == np - 1), "[np-1..np-1]");
        assert_eq!(told(3..=20, |np, rank| rank == 0 || rank == np - 1), "[0..0], [np-1..np-1]");
        assert_eq!(told(3..=20, |_, rank| rank != 1), "[0..0], [2..np-1]");
        assert_eq!(told(2..=20, |np, rank| rank < np / 2), "[0..np/2-1]");
        assert_eq!(told(2..=20, |np, rank| np / 2 <= rank), "[np/2..np-1]");
        assert_eq!(told(2..=20, |np, rank| rank < np - np / 2), "[0..np-np/2-1]");
        assert_eq!(told(2..=20, |np, rank| rank < np / 2 * 2), "[0..2*(np/2)-1]");
        assert_eq!(told(5..=5, |_, rank| rank % 2 == 0), "[0..4] step 2");
        assert_eq!(told(4..=4, |_, rank| rank % 3 == 0), "[0..0], [3..3]");
        assert_eq!(told(2..=3, |_, _| true), "[0..np-1]");
        assert_eq!(told(1..=20, |np, rank| rank * rank == np), "none");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

        /// What a formula gives is what it was made from, whatever that was.
        #[test]
        fn formulas_give_what_they_are_made_from(
            all in prop::collection::btree_map(1_i64..12, prop::collection::btree_set(0_i64..12, 1..6), 1..5),
        ) {
            if let Some(formula) = Formula::of(&all) {
                for (&np, ranks) in &all {
                    prop_assert_eq!(&formula.at(np), ranks, "{} at {}", formula, np);
                }
            }
        }
    }
}
