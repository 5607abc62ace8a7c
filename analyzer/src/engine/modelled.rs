//! The answer of the model in place of one about a few numbers of processes.

use effort::Budget;
use frontend::program::Program;

use super::answer::np_list;
use super::{NpChoice, Options};
use crate::communication::{Decided, decided};
use crate::results::{Instance, Lengths, ProgramReport, Severity, Verdict, VerdictKind};

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
    report.verdict = verdict(&decided, &report.verdict, options);
}

fn verdict(decided: &Decided<'_>, before: &Verdict, options: &Options) -> Verdict {
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
    let (only, lengths) = match before.kind {
        VerdictKind::Bounded => {
            let only = format!("at np = {} only", before.np);
            (format!("defects besides waiting for ever were looked for {only}"), format!("compared {only}"))
        }
        _ => ("defects besides waiting for ever were not looked for".to_owned(), "not compared".to_owned()),
    };
    let is_all = before.kind == VerdictKind::Bounded && before.np == np;
    let mut reasons = if is_all { Vec::new() } else { vec![only] };
    if !is_all && !decided.is_unbuffered() {
        reasons.push(format!("whether sends rely on buffers: {lengths}"));
    }
    Verdict {
        kind: VerdictKind::Exact,
        np,
        assumptions,
        reasons,
        lengths: if is_all { before.lengths.clone() } else { Lengths::NotProved(vec![lengths]) },
    }
}
