//! The answer of the model in place of one about a few numbers of processes.

use effort::Budget;
use frontend::program::Program;

use super::answer::np_list;
use super::lengths::is_about_length;
use super::process_counts::Counts;
use super::rank_formulas::Formula;
use super::{NpChoice, Options};
use crate::communication::{Decided, TooLong, decided};
use crate::results::{Finding, Instance, Lengths, ProgramReport, Related, Severity, Verdict, VerdictKind};
use crate::rules::Rule;

/// Asks the model about a program of which a report speaks for some numbers of processes only, or for none, and puts its answer into the
/// report. `explored` are instances that an exploration of their number of processes has found: an answer that differs from one of them
/// is not used.
///
/// # Panics
///
/// Where an answer differs, if the options say that answers are checked.
pub(crate) fn improve(
    program: &Program,
    report: &mut ProgramReport,
    explored: &[Instance],
    options: &Options,
    budget: Budget,
) {
    // What an error leads to is not followed by the model.
    if report.findings.iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    let Some(decided) = decided(program, budget) else { return };
    if let NpChoice::Fixed(counts) = &options.np
        && counts.iter().any(|np| *np < decided.least())
    {
        return;
    }
    for instance in explored {
        if let Err(contradiction) = decided.compare(instance) {
            assert!(!options.is_checked, "{contradiction}");
            return;
        }
    }
    let Some(mut topology) = decided.topology() else { return };
    topology.instance = match report.topology.instance.take() {
        None => options.instance.and_then(|np| decided.instance(np)),
        known => known,
    };
    let listed = |np: &u64| report.instances.iter().any(|instance| instance.np == *np);
    let further: Vec<u64> = options.instances.iter().copied().filter(|np| !listed(np)).collect();
    report.instances.extend(further.into_iter().filter_map(|np| decided.instance(np)));
    report.instances.sort_by_key(|instance| instance.np);
    report.topology = topology;
    report.is_by_model = true;
    if options.np == NpChoice::Any {
        report.findings.extend(truncations(&decided, report, explored, options));
    }
    report.verdict = verdict(&decided, report, options);
}

fn verdict(decided: &Decided<'_>, report: &ProgramReport, options: &Options) -> Verdict {
    let before = &report.verdict;
    let np = match &options.np {
        NpChoice::Any => format!("any np >= {}", decided.least()),
        NpChoice::Fixed(counts) => np_list(counts),
    };
    let mut assumptions =
        if before.kind == VerdictKind::Bounded { before.assumptions.clone() } else { Vec::new() };
    for assumption in decided.assumptions() {
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    let (only, compared) = match before.kind {
        VerdictKind::Bounded => {
            let only = format!("at np = {} only", before.np);
            (format!("defects besides waiting for ever were looked for {only}"), format!("compared {only}"))
        }
        _ => ("defects besides waiting for ever were not looked for".to_owned(), "not compared".to_owned()),
    };
    let is_all = before.kind == VerdictKind::Bounded && before.np == np;
    let mut reasons = decided.notes();
    reasons.extend((!is_all).then_some(only));
    if !is_all && !decided.is_unbuffered() {
        reasons.push(format!("whether sends rely on buffers: {compared}"));
    }
    Verdict {
        kind: VerdictKind::Exact,
        np,
        assumptions,
        reasons,
        lengths: if is_all { before.lengths.clone() } else { lengths(decided, report, compared) },
    }
}

/// What is known of lengths for any number of processes; `compared`: where else they were compared.
fn lengths(decided: &Decided<'_>, report: &ProgramReport, compared: String) -> Lengths {
    let Some(open) = decided.open_lengths() else { return Lengths::NotProved(vec![compared]) };
    let is_in_buffers = decided.is_in_buffers();
    let is_wrong = report.findings.iter().any(|finding| is_about_length(finding.rule));
    if open.is_empty() && is_in_buffers && !is_wrong {
        return Lengths::Proved;
    }
    let before = report.verdict.lengths.reasons();
    let mut reasons = before.to_vec();
    reasons.extend(open.into_iter().filter(|reason| !before.contains(reason)));
    if !is_in_buffers {
        reasons.push(format!("whether buffers are as long as calls say: {compared}"));
    }
    Lengths::NotProved(reasons)
}

/// Messages that are too long, as findings; those that a report has are left out.
fn truncations(
    decided: &Decided<'_>,
    report: &ProgramReport,
    explored: &[Instance],
    options: &Options,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for TooLong { receive, send, ranks, is_from_first, bytes: (sent, room) } in decided.too_long() {
        let is_it = |known: &&Finding| known.rule == Rule::MessageTruncation && known.range == receive;
        let numbers: Vec<i64> = ranks.keys().copied().collect();
        let (Some(&first), false) = (numbers.first(), report.findings.iter().any(|known| is_it(&known)))
        else {
            continue;
        };
        // An exploration that has seen nothing of it knows better.
        let is_contradicted =
            explored.iter().any(|one| i64::try_from(one.np).is_ok_and(|np| ranks.contains_key(&np)));
        assert!(!(is_contradicted && options.is_checked), "no message is too long at np = {numbers:?}");
        if is_contradicted {
            continue;
        }
        let counts = if is_from_first { Counts::from(first) } else { None };
        found.push(Finding {
            rule: Rule::MessageTruncation,
            severity: Severity::Error,
            message: format!("has room for {room} bytes, but the message has {sent} bytes with np = {first}"),
            range: receive,
            np: counts.unwrap_or_else(|| Counts::listed(&numbers)).to_string(),
            ranks: Formula::of(&ranks).map_or_else(|| "some ranks".to_owned(), |formula| formula.to_string()),
            related: vec![Related {
                range: send,
                message: format!("{sent} bytes are sent here with np = {first}"),
            }],
            fix: None,
            rebuild: None,
        });
    }
    found
}
