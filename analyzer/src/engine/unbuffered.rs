//! Sends that rely on a buffer, and ready sends that may come too early: what shows where no send is buffered.

use std::rc::Rc;

use effort::Budget;

use super::answer;
use super::cross_check::CHECKED_STATES;
use super::exploration::{Exploration, explore_with};
use super::explore::Walk;
use super::findings::Found;
use super::groundwork::Groundwork;
use super::{EXPLORED, Engine, NpChoice, Options};
use crate::results::{Finding, ProgramReport, Severity, VerdictKind};
use crate::rules::Rule;

/// Whether a rule tells of processes that wait for ever.
pub(super) fn rule_is_hang(rule: Rule) -> bool {
    use Rule::{
        CollectiveMismatch, CommunicatorMismatch, Deadlock, MissingCollective, RootMismatch, TagMismatch,
        UnmatchedRecv,
    };
    matches!(
        rule,
        Deadlock
            | UnmatchedRecv
            | MissingCollective
            | CollectiveMismatch
            | TagMismatch
            | CommunicatorMismatch
            | RootMismatch
    )
}

/// What hangs when no send is buffered (MPI-4.1 section 3.5: such a program is unsafe), in a program that does not hang otherwise, and ready
/// sends that may come too early.
pub(super) fn unsafe_sends(
    ground: &Rc<Groundwork<'_>>,
    report: &ProgramReport,
    options: &Options,
    complete: Option<&[u64]>,
    budget: Budget,
) -> Vec<Finding> {
    let hangs = |rule| rule_is_hang(rule) || rule == Rule::UnmatchedSend;
    if report.topology.channels.is_empty() || report.findings.iter().any(|f| hangs(f.rule)) {
        return Vec::new();
    }
    let unbuffered = |fixed: Option<u64>, one_order: bool, last_first: bool| {
        let engine = Engine::new(ground, fixed);
        let bounded = engine.follows_orders();
        let state_limit = if bounded { CHECKED_STATES } else { engine.state_limit };
        Engine { buffering: false, one_order, last_first, state_limit, ..engine }
    };
    let is_unsafe = |run: &Exploration<'_>| run.engine.found.iter().any(|f| f.key.0 == Rule::UnsafeSend);
    // The smallest number of processes is the witness; for an answer that is general it need not be one that is asked for.
    let general = report.verdict.kind == VerdictKind::Exact;
    let (asked, others) = match &options.np {
        NpChoice::Any => (Vec::new(), true),
        NpChoice::Fixed(counts) => (counts.clone(), general),
    };
    let others = (1..=*EXPLORED.end()).filter(|np| others && !asked.contains(np));
    // Where it is not known whether the program hangs with buffers, nothing is to be said of sends without.
    let is_known = |np: &u64| complete.is_none_or(|complete| complete.contains(np));
    let mut witnesses = Vec::new();
    let mut safe = Vec::new();
    for np in asked.iter().copied().chain(others).filter(is_known) {
        // Most programs that are unsafe are so in whatever order messages come from anybody, and one order is quickly followed.
        let orders = if ground.orders { &[true, false][..] } else { &[false] };
        // Whether a ready send comes too early may show only where the others are behind.
        let turns = if ground.sends_ready { &[false, true][..] } else { &[false] };
        let ways = orders.iter().flat_map(|&one_order| turns.iter().map(move |&turn| (one_order, turn)));
        let mut is_followed = true;
        let mut runs = ways.map(|(one_order, last_first)| {
            let run = explore_with(unbuffered(Some(np), one_order, last_first), budget);
            is_followed &= run.is_complete();
            run
        });
        // What is seen on one path is not less so where others were not followed to their ends.
        match runs.find(is_unsafe) {
            Some(at) => witnesses.push((np, at)),
            None if is_followed => safe.push(np),
            None => {}
        }
    }
    let Some((_, first)) = witnesses.first() else { return Vec::new() };
    let last_first = first.engine.last_first;
    let is_unsafe_send = |found: &Found| found.key.0 == Rule::UnsafeSend;
    let mut all = answer::seen_in(&witnesses);
    all.retain(is_unsafe_send);
    // The general run tells for which numbers of processes, of what a witness shows; there is nothing to tell where the witnesses are all
    // that is asked.
    let all_seen = |asked: &[u64]| {
        let at = |np: &u64| safe.contains(np) || witnesses.iter().any(|(seen, _)| seen == np);
        !asked.is_empty() && asked.iter().all(at)
    };
    let mut run = Exploration { engine: unbuffered(None, false, last_first), walk: Walk::default() };
    if general && !all_seen(&asked) {
        run = explore_with(unbuffered(None, false, last_first), budget);
    }
    if run.is_complete() {
        for claim in run.engine.found.iter().filter(|found| is_unsafe_send(found)) {
            let Some(known) = all.iter_mut().find(|found| found.key == claim.key) else { continue };
            known.add(claim.clone());
            for np in safe.iter().filter_map(|&np| i64::try_from(np).ok()) {
                known.extent.explored(np, None);
            }
        }
    }
    for found in &mut all {
        found.finding.severity = Severity::Warning;
    }
    all.iter().flat_map(|found| found.told(&run.engine, &options.np)).collect()
}
