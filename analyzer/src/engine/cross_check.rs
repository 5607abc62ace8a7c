//! A symbolic answer against exact explorations of small numbers of processes, before it is given.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use effort::Budget;

use super::exploration::{Exploration, explore, explore_with};
use super::explore::STATE_LIMIT;
use super::findings::Found;
use super::groundwork::Groundwork;
use super::lengths::{OpenLengths, is_about_length};
use super::possible_np::possible_np;
use super::process_counts::Counts;
use super::state::State;
use super::unbuffered::rule_is_hang;
use super::{EXPLORED, Engine, instance};

/// Process counts at which a symbolic answer is compared with an exact exploration before it is given.
const CHECKED: std::ops::RangeInclusive<u64> = 1..=5;

/// The last of them for a program whose processes do not communicate: nobody would notice a third one.
const ALONE: u64 = 2;

/// How far beyond the first process count for which a defect is claimed it is looked for.
const SHOWN: i64 = 24;

/// Largest number of processes at which a symbolic answer is compared.
const CHECKED_AT_MOST: u64 = 32;

/// States of an exact exploration that a symbolic answer is compared with, where each order of messages is followed: what needs
/// more of them is not compared, and smaller process counts have been.
pub(super) const CHECKED_STATES: usize = 500;

/// How an exact exploration shows a defect that is claimed; what weighs more comes later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Nowhere,
    /// Processes wait forever, and another call is named.
    Alike,
    /// Processes wait forever where another claim says, and this one need not be true beside it.
    Elsewhere,
    Here,
}

impl Shown {
    fn at(np: i64, explored: &[Found], found: &Found, claims: &[Found]) -> Self {
        let shows = |claim: &Found| explored.iter().any(|f| f.key == claim.key);
        let hangs = |found: &Found| rule_is_hang(found.key.0);
        if shows(found) {
            return Self::Here;
        }
        // Which of the waiting calls is named, and how, may differ; that processes wait forever may not.
        if !hangs(found) || !explored.iter().any(hangs) {
            return Self::Nowhere;
        }
        // Of several paths that rest on a function that is not evaluated one exists.
        let other = |claim: &&Found| hangs(claim) && claim.np.contains(np) && shows(claim);
        if found.doubtful && claims.iter().any(|claim| other(&claim)) { Self::Elsewhere } else { Self::Alike }
    }
}

/// Compares a symbolic exploration with exact ones of small process counts.
///
/// States are joined and widened, so that the symbolic walk may follow a path that no run takes. A defect that no exact
/// exploration shows is not reported, and messages that an exact exploration does not confirm are no exact answer.
pub(super) fn cross_check<'p>(ground: &Rc<Groundwork<'p>>, symbolic: &mut Exploration<'p>, budget: Budget) {
    let mut runs: BTreeMap<u64, Exploration<'_>> = BTreeMap::new();
    let mut doubts: Vec<String> = Vec::new();
    // Beyond that, the ends of the ranges of np for which paths hold: what depends on a number of the program shows there.
    let mut counts: BTreeSet<u64> = CHECKED.collect();
    // The orders in which messages may come are many.
    let orders = symbolic.engine.ground.orders;
    let most = if orders { *CHECKED.end() } else { CHECKED_AT_MOST };
    for outcome in &symbolic.walk.outcomes {
        let path = Counts::of(&outcome.state.facts);
        let after = |step| path.least().and_then(|n| n.checked_add(step));
        let ends = [path.least(), after(1), after(2), path.most()];
        let small = ends.into_iter().flatten().filter_map(|n| u64::try_from(n).ok());
        counts.extend(small.filter(|n| (1..=most).contains(n)));
    }
    if symbolic.is_alone() {
        counts.retain(|&np| np <= ALONE);
    }
    let limit = if orders { CHECKED_STATES } else { STATE_LIMIT };
    let first = symbolic.complete_from();
    let answered = |np: u64| first.is_some_and(|first| i64::try_from(np).is_ok_and(|np| first <= np));
    for np in counts {
        let run = explore_with(Engine { state_limit: limit, ..Engine::new(ground, Some(np)) }, budget);
        if answered(np) && run.is_complete() && !instance::agree(symbolic, &run, np) {
            doubts.push(format!("the general answer differs from the exploration of np = {np}"));
        }
        runs.insert(np, run);
    }
    // Lengths that only numbers tell.
    let open = &symbolic.engine.open_lengths;
    if !orders
        && !symbolic.is_alone()
        && open.has_more_than(runs.values().map(|run| &run.engine.open_lengths))
    {
        let most = most_of(symbolic).unwrap_or(u64::MAX);
        for np in symbolic.engine.telling_numbers() {
            if runs.contains_key(&np) || most < np {
                continue;
            }
            let run = explore(ground, Some(np), budget);
            if !run.is_complete() {
                // Of more processes it takes longer still.
                break;
            }
            if answered(np) && !instance::agree(symbolic, &run, np) {
                doubts.push(format!("the general answer differs from the exploration of np = {np}"));
            }
            runs.insert(np, run);
        }
    }
    let shown: Vec<Shown> = (symbolic.engine.found.iter())
        .map(|found| {
            let first = found.np.least().unwrap_or(1).max(1);
            let counts = (first..first.saturating_add(SHOWN)).filter(|&np| found.np.contains(np)).take(3);
            let at = counts.filter_map(|np| {
                let fixed = u64::try_from(np).ok()?;
                let run = runs.entry(fixed).or_insert_with(|| explore(ground, Some(fixed), budget));
                if run.engine.suspected.contains(&found.key) {
                    return Some(Shown::Here);
                }
                Some(Shown::at(np, &run.engine.found, found, &symbolic.engine.found))
            });
            at.max().unwrap_or(Shown::Nowhere)
        })
        .collect();
    let mut doubtful = Vec::new();
    let found = std::mem::take(&mut symbolic.engine.found);
    for (found, shown) in found.into_iter().zip(shown) {
        match shown {
            Shown::Alike | Shown::Here => symbolic.engine.found.push(found),
            Shown::Elsewhere => {}
            Shown::Nowhere => doubtful.push(found.key),
        }
    }
    // Should the answer be given up, what was seen here is not.
    for (_, run) in runs.iter().filter(|(np, run)| !EXPLORED.contains(*np) && run.is_complete()) {
        let seen = run.engine.found.iter().filter(|found| is_about_length(found.key.0));
        symbolic.engine.found_elsewhere.extend(seen.cloned());
    }
    let claimed = |found: &Found, np: u64| {
        let alike = |claim: &&Found| {
            claim.key == found.key || (rule_is_hang(claim.key.0) && rule_is_hang(found.key.0))
        };
        let at = i64::try_from(np).unwrap_or(i64::MAX);
        symbolic.engine.found.iter().filter(alike).any(|claim| claim.np.contains(at))
    };
    let mut lengths: Vec<Found> = Vec::new();
    let mut others: Vec<Found> = Vec::new();
    for (&np, run) in runs.iter().filter(|(np, run)| answered(**np) && run.is_complete()) {
        for missed in run.engine.found.iter().filter(|found| !claimed(found, np)) {
            // It was left open.
            if is_about_length(missed.key.0) && !symbolic.engine.open_lengths.is_empty() {
                lengths.push(missed.clone());
                continue;
            }
            // A wrong call ends a path for all; who else makes one is only seen where each process is followed for itself.
            if symbolic.engine.erroneous && run.engine.erroneous && !rule_is_hang(missed.key.0) {
                others.push(missed.clone());
                continue;
            }
            let (rule, function, span) = missed.key;
            let place = run.engine.line_of(function.unit, span);
            doubts.push(format!("{place}: a {} shows at np = {np} only when that is explored", rule.id()));
        }
    }
    for found in others {
        symbolic.engine.add_found(found);
    }
    for found in lengths {
        let (at, known) = (found.np.least(), symbolic.engine.found.iter().find(|f| f.key == found.key));
        // Of the numbers of processes that were tried, those in a row are told.
        let is_apart =
            known.and_then(|known| known.np.most()).zip(at).is_some_and(|(last, at)| last + 1 < at);
        if !is_apart {
            symbolic.engine.add_found(found);
        }
    }
    // A program for so many processes at most has been looked at as a whole.
    if let Some(most) = most_of(symbolic)
        && (1..=most).all(|np| runs.get(&np).is_some_and(Exploration::is_complete))
    {
        let mut open = OpenLengths::default();
        for (_, run) in runs.range(..=most) {
            open.add(run.engine.open_lengths.clone());
        }
        symbolic.engine.open_lengths = open;
    }
    let complete: Vec<(i64, &Exploration<'_>)> = (runs.iter())
        .filter(|(_, run)| run.is_complete())
        .filter_map(|(&np, run)| Some((i64::try_from(np).ok()?, run)))
        .collect();
    for found in &mut symbolic.engine.found {
        for (np, run) in &complete {
            let same = run.engine.found.iter().find(|same| same.key == found.key);
            // Which of the calls is named where processes wait forever may differ.
            let elsewhere =
                rule_is_hang(found.key.0) && run.engine.found.iter().any(|f| rule_is_hang(f.key.0));
            let open = found.doubtful || elsewhere || run.engine.suspected.contains(&found.key);
            if same.is_some() || !open {
                found.extent.explored(*np, same.map(|same| &same.extent));
            }
        }
    }
    for (rule, function, span) in doubtful {
        let place = symbolic.engine.line_of(function.unit, span);
        doubts.push(format!("{place}: a possible {} does not show at any small np", rule.id()));
    }
    let all = symbolic.engine.clients.lifecycles.found();
    let explored = runs.iter().filter(|(_, run)| run.is_complete());
    let settled = settled(all, &explored.map(|(&np, run)| (np, run)).collect::<Vec<_>>());
    symbolic.engine.clients.lifecycles.settle(settled);
    for doubt in doubts {
        symbolic.engine.unexplored(doubt);
    }
}

/// The greatest number of processes with which the program comes to an end, where there is one.
fn most_of(symbolic: &Exploration<'_>) -> Option<u64> {
    let most = |state: &&State| {
        let most = possible_np(&symbolic.engine, state).map_or(Some(0), |np| np.most())?;
        u64::try_from(most).ok()
    };
    let all: Option<Vec<u64>> = symbolic.ends().iter().map(most).collect();
    all?.into_iter().max()
}

/// Defects of handles: those that a symbolic exploration claims and exact ones show, and those that only these show, for as many
/// processes as they did.
fn settled(claimed: Vec<Found>, explored: &[(u64, &Exploration<'_>)]) -> Vec<Found> {
    let at = |np: u64| i64::try_from(np).unwrap_or(i64::MAX);
    let shows = |claim: &Found| {
        let mut looked = explored.iter().filter(|(np, _)| claim.np.contains(at(*np))).peekable();
        let is_shown =
            |run: &Exploration<'_>| run.engine.clients.lifecycles.found().iter().any(|f| f.key == claim.key);
        looked.peek().is_none() || looked.any(|(_, run)| is_shown(run))
    };
    let shown_by_all = |found: &Found| {
        let mut several = explored.iter().filter(|(np, _)| 1 < *np);
        several.all(|(_, run)| run.engine.clients.lifecycles.found().iter().any(|f| f.key == found.key))
    };
    let mut settled: Vec<Found> = claimed.into_iter().filter(shows).collect();
    for (np, run) in explored {
        let seen = run.engine.clients.lifecycles.found();
        for known in &mut settled {
            let same = seen.iter().find(|found| found.key == known.key);
            // A rule about all paths is not refuted by what one exploration does not show.
            let open = known.key.0.needs_all_paths() || run.engine.suspected.contains(&known.key);
            if same.is_some() || !open {
                known.extent.explored(at(*np), same.map(|same| &same.extent));
            }
        }
        for found in seen {
            match settled.iter_mut().find(|known| known.key == found.key) {
                Some(known) if known.np.contains(at(*np)) => {}
                Some(known) => known.add(found),
                // What some path must not show is seen on all of them.
                None if found.key.0.needs_all_paths() && !shown_by_all(&found) => {}
                None => settled.push(found),
            }
        }
    }
    settled
}
