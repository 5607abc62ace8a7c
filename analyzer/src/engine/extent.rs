//! Where a defect shows: for which numbers of processes, and on which of their ranks, on all paths together.
//!
//! The ranks of a path are a box whose ends are expressions. The union of the boxes of several paths seldom is one, so it is found number
//! by number: for each of the smaller numbers of processes the ranks of each path are computed, explorations say what they saw, and the
//! simplest formula that gives the same at all of them is told (`rank_formulas.rs`).

use std::collections::BTreeSet;

use lattice::{Constraints, Linear, Ranks};

use super::answer::np_list;
use super::findings::{ranks_text, shown_ranks};
use super::process_counts::Counts;
use super::rank_formulas::{Formula, RanksAt};
use super::{Engine, NpChoice, arithmetic};

/// The numbers of processes and the ranks at which something shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extent {
    /// Paths that show it for more than one number of processes.
    paths: Vec<(Ranks, Constraints)>,
    /// What was seen at numbers of processes that were explored one by one; nothing where it was looked for in vain.
    seen: RanksAt,
    /// Ranks that depend on the input, in words.
    words: BTreeSet<String>,
}

/// What is said of a defect: for which numbers of processes, and on which ranks.
pub(crate) struct Told {
    pub(crate) np: String,
    pub(crate) ranks: String,
}

/// Numbers of processes, from 1 on, at which paths are compared.
const SAMPLED: i64 = 16;
/// Numbers of processes that are looked at from the first one on, where that is greater.
const FURTHER: i64 = 8;
/// Paths that are kept: where there are more, their ranks are mostly the same.
const PATHS: usize = 32;
/// Ways to say on which ranks it is, each for some numbers of processes, that are told beside each other.
const WAYS: usize = 3;
/// What is said where the ranks are not known.
const SOME_RANKS: &str = "some ranks";

impl Extent {
    /// What one path shows.
    pub(crate) fn of(engine: &Engine<'_>, ranks: &Ranks, facts: &Constraints) -> Self {
        let mut extent = Self::default();
        if let Some(np) = engine.fixed.and_then(|np| i64::try_from(np).ok()) {
            extent.seen.insert(np, ranks_at(engine, ranks, facts, np).unwrap_or_default());
            return extent;
        }
        let shown = shown_ranks(engine, ranks, facts);
        let bounds = || shown.radices().iter().chain(shown.digits().iter().flat_map(|d| [&d.lo, &d.hi]));
        if bounds().flat_map(Linear::symbols).any(|symbol| engine.symbols.is_input(symbol)) {
            let text = shown.display(&engine.symbols);
            extent.words.insert(text.unwrap_or_else(|| SOME_RANKS.to_owned()));
        } else {
            extent.paths.push((shown, facts.clone()));
        }
        extent
    }

    /// Takes in what another path shows.
    pub(crate) fn add(&mut self, other: Self) {
        for (ranks, facts) in other.paths {
            let is_known =
                |(known, there): &(Ranks, Constraints)| *known == ranks && there.equivalent(&facts);
            if self.paths.len() < PATHS && !self.paths.iter().any(is_known) {
                self.paths.push((ranks, facts));
            }
        }
        for (np, ranks) in other.seen {
            self.seen.entry(np).or_default().extend(ranks);
        }
        self.words.extend(other.words);
    }

    /// Takes in what an exploration of one number of processes has seen; nothing, where it was complete and saw none of it.
    pub(crate) fn explored(&mut self, np: i64, seen: Option<&Self>) {
        let ranks = seen.and_then(|seen| seen.seen.get(&np)).cloned().unwrap_or_default();
        self.seen.insert(np, ranks);
    }

    /// Whether some path shows it for a number of processes.
    pub(crate) fn shows_at(&self, engine: &Engine<'_>, np: i64) -> bool {
        let shows = |(ranks, facts): &(Ranks, Constraints)| {
            ranks_at(engine, ranks, facts, np).is_some_and(|at| !at.is_empty())
        };
        self.is_in_words()
            || self.paths.iter().any(shows)
            || self.seen.get(&np).is_some_and(|ranks| !ranks.is_empty())
    }

    /// What is said of it: mostly one thing, or several that hold for different numbers of processes.
    pub(crate) fn told(&self, engine: &Engine<'_>, np: &Counts, choice: &NpChoice) -> Vec<Told> {
        let known = self.known(engine, np, choice);
        match choice {
            NpChoice::Any => self.told_of_any(&known, np),
            NpChoice::Fixed(counts) => {
                let is_hit = |np: &u64| i64::try_from(*np).is_ok_and(|np| known.numbers.contains(np));
                let hits: Vec<u64> = counts.iter().copied().filter(is_hit).collect();
                if hits.is_empty() {
                    return Vec::new();
                }
                let at = |np: &u64| {
                    Some((i64::try_from(*np).ok()?, known.at.get(&i64::try_from(*np).ok()?)?.clone()))
                };
                let at: RanksAt = hits.iter().filter_map(at).collect();
                let all = format!("np = {}", np_list(&hits));
                if self.is_in_words() {
                    return vec![Told { np: all, ranks: self.in_words(&at) }];
                }
                match Formula::of(&at) {
                    Some(formula) if at.len() == hits.len() => {
                        vec![Told { np: all, ranks: formula.to_string() }]
                    }
                    _ => (hits.iter())
                        .map(|np| Told {
                            np: format!("np = {np}"),
                            ranks: i64::try_from(*np).ok().and_then(|np| at.get(&np)).map_or_else(
                                || SOME_RANKS.to_owned(),
                                |ranks| Formula::numbers(ranks).to_string(),
                            ),
                        })
                        .collect(),
                }
            }
        }
    }

    /// The ranks, whatever the number of processes is.
    pub(crate) fn ranks(&self, engine: &Engine<'_>) -> String {
        let mut at = self.seen.clone();
        for np in 1..=SAMPLED {
            let of = |(ranks, facts): &(Ranks, Constraints)| ranks_at(engine, ranks, facts, np);
            let there: BTreeSet<i64> = self.paths.iter().filter_map(of).flatten().collect();
            if !there.is_empty() {
                at.entry(np).or_default().extend(there);
            }
        }
        if self.is_in_words() || Formula::of(&at).is_some_and(|formula| !formula.to_string().is_empty()) {
            return self.in_words(&at);
        }
        let texts: BTreeSet<String> =
            self.paths.iter().map(|(ranks, facts)| ranks_text(engine, ranks, facts)).collect();
        texts.into_iter().collect::<Vec<_>>().join(", ")
    }

    fn told_of_any(&self, known: &Known, np: &Counts) -> Vec<Told> {
        let text = |np: &Counts| np.to_string();
        if known.numbers.least().is_none() {
            return vec![Told { np: text(np), ranks: self.in_words(&known.at) }];
        }
        if self.is_in_words() {
            return vec![Told { np: text(&known.numbers), ranks: self.in_words(&known.at) }];
        }
        if known.is_certain
            && let Some(formula) = Formula::of(&known.at)
        {
            return vec![Told { np: text(&known.numbers), ranks: formula.to_string() }];
        }
        // No form holds for all of them: the first numbers, as far as one does.
        let mut left = known.first_ones();
        let mut told = Vec::new();
        let mut next = i64::MIN;
        while !left.is_empty() && told.len() < WAYS {
            let fits =
                |length: &usize| Some((*length, Formula::of(&left[..*length].iter().cloned().collect())?));
            let Some((length, formula)) = (1..=left.len()).rev().find_map(|length| fits(&length)) else {
                break;
            };
            let numbers: Vec<i64> = left.drain(..length).map(|(np, _)| np).collect();
            next = numbers.last().map_or(next, |last| last.saturating_add(1));
            told.push(Told { np: text(&Counts::listed(&numbers)), ranks: formula.to_string() });
        }
        // It shows for the other numbers, too.
        let rest = known.numbers.starting(next);
        if rest.least().is_some() {
            told.push(Told { np: text(&rest), ranks: SOME_RANKS.to_owned() });
        }
        told
    }

    fn is_in_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// The ranks in words, with those that do not depend on the input.
    fn in_words(&self, at: &RanksAt) -> String {
        let formula = Formula::of(at).map(|formula| formula.to_string());
        let words = self.words.iter().cloned();
        let all: Vec<String> = formula.into_iter().filter(|text| !text.is_empty()).chain(words).collect();
        if all.is_empty() { SOME_RANKS.to_owned() } else { all.join(", ") }
    }

    /// For which numbers of processes it shows for certain, and on which ranks at some of them.
    fn known(&self, engine: &Engine<'_>, np: &Counts, choice: &NpChoice) -> Known {
        let mut sampled: BTreeSet<i64> = (1..=SAMPLED).collect();
        if let Some(least) = np.least().filter(|&least| SAMPLED < least) {
            sampled.extend(least..least.saturating_add(FURTHER));
        }
        if let NpChoice::Fixed(counts) = choice {
            sampled.extend(counts.iter().filter_map(|&np| i64::try_from(np).ok()));
        }
        let mut at = RanksAt::new();
        // Numbers at which it is claimed and does not show.
        let mut wrong: Vec<i64> = Vec::new();
        let mut contradicted = false;
        for &n in &sampled {
            let at_path = |(ranks, facts): &(Ranks, Constraints)| ranks_at(engine, ranks, facts, n);
            let mut there: BTreeSet<i64> = self.paths.iter().filter_map(at_path).flatten().collect();
            let claimed = np.contains(n) && (self.is_in_words() || !there.is_empty());
            let holds = match self.seen.get(&n) {
                Some(seen) => {
                    contradicted |= claimed && !seen.is_empty() && *seen != there && !self.is_in_words();
                    there.clone_from(seen);
                    !seen.is_empty()
                }
                None => claimed,
            };
            if holds {
                at.insert(n, there);
            } else if np.contains(n) {
                wrong.push(n);
            }
        }
        let first = at.keys().next().copied();
        let numbers: Vec<i64> = at.keys().copied().collect();
        let only_first = |first: i64| wrong.iter().all(|&n| n < first);
        let goes_on = !self.paths.is_empty() || self.is_in_words();
        let numbers = match first {
            Some(first) if goes_on && only_first(first) => {
                np.certain().starting(first).union(Counts::listed(&numbers))
            }
            _ => Counts::listed(&numbers),
        };
        if contradicted {
            // Ranks that are wrong at one number may be so at others; that it shows there is not in doubt.
            at.retain(|n, _| self.seen.contains_key(n));
        }
        Known { numbers, at, is_certain: !contradicted }
    }
}

/// What is certain of where a defect shows.
struct Known {
    /// The numbers of processes.
    numbers: Counts,
    /// The ranks at some of them.
    at: RanksAt,
    /// Whether the ranks that paths say are right wherever they were compared.
    is_certain: bool,
}

impl Known {
    /// The ranks at the smallest numbers, up to the first one at which they are not known.
    fn first_ones(&self) -> Vec<(i64, BTreeSet<i64>)> {
        let mut next = None;
        let is_next = |(np, _): &(&i64, _)| {
            let between = next.and_then(|next| self.numbers.starting(next).least());
            next = Some(np.saturating_add(1));
            between.is_none_or(|least| **np <= least)
        };
        self.at.iter().take_while(is_next).map(|(np, ranks)| (*np, ranks.clone())).collect()
    }
}

/// The ranks of a path at one number of processes; `None` where there is no such path. Where the ends of the box stand for any of several
/// numbers, so do the ranks.
fn ranks_at(engine: &Engine<'_>, ranks: &Ranks, facts: &Constraints, np: i64) -> Option<BTreeSet<i64>> {
    let mut facts = facts.clone();
    let _ = facts.assume_eq(&Linear::np(), &np.into())?;
    let cases = arithmetic::cases_of_factors(&engine.symbols, &facts).unwrap_or_else(|| vec![facts]);
    let mut all: Option<BTreeSet<i64>> = None;
    for facts in cases {
        let possible = || (0..np).filter(|&rank| may_hold(ranks, &facts, rank)).collect();
        all.get_or_insert_default().extend(ranks.members(&facts).unwrap_or_else(possible));
    }
    Some(all?.into_iter().filter(|rank| (0..np).contains(rank)).collect())
}

/// Whether a box may hold a rank.
fn may_hold(ranks: &Ranks, facts: &Constraints, rank: i64) -> bool {
    let (mut facts, mut rest) = (facts.clone(), rank);
    for (position, digit) in ranks.digits().iter().enumerate() {
        let value = match ranks.radices().get(position).map(|radix| facts.constant(radix)) {
            Some(Some(radix @ 1..)) => {
                let value = rest % radix;
                rest /= radix;
                value
            }
            Some(_) => return true,
            None => rest,
        };
        let value = Linear::from(value);
        if facts.assume_le(&digit.lo, &value).is_none() || facts.assume_le(&value, &digit.hi).is_none() {
            return false;
        }
    }
    true
}
