//! From the ends of all paths to one answer: a verdict, the topology, the findings.

use lattice::Linear;

use super::findings::Found;
use super::formulas::Formulas;
use super::instance::instance;
use super::lengths::OpenLengths;
use super::possible_np::{is_possible_at, possible_np};
use super::process_counts::{Counts, PROCESSES};
use super::state::State;
use super::{EXPLORED, Engine, Exploration, NpChoice, Options};
use crate::results::{Finding, ProgramReport, Topology, Verdict, VerdictKind};

/// Numbers of processes at which the formulas are compared with the paths that they come from, in tests.
const SMALL: std::ops::RangeInclusive<u64> = 1..=9;

/// The answer of a symbolic exploration that is complete from some number of processes on.
pub(crate) fn symbolic_report(exploration: &Exploration<'_>, first: i64, options: &Options) -> ProgramReport {
    let engine = &exploration.engine;
    let ends = exploration.ends();
    let counts: Vec<Counts> =
        ends.iter().filter_map(|state| Some(possible_np(engine, state)?.starting(first))).collect();
    let range = Some(Counts::union_of(&counts)).filter(|range| range.least().is_some());
    let goes_on = |np: u64| {
        i64::try_from(np).is_ok_and(|np| ends.iter().any(|state| is_possible_at(engine, state, np)))
    };
    let mut verdict = match (&options.np, range) {
        (NpChoice::Fixed(counts), _) => {
            let (counts, early): (Vec<u64>, Vec<u64>) = counts.iter().partition(|np| goes_on(**np));
            let mut verdict = if counts.is_empty() {
                engine.verdict(VerdictKind::Unknown, "any np >= 1".to_owned())
            } else {
                engine.verdict(VerdictKind::Exact, np_list(&counts))
            };
            verdict.reasons.extend(early.into_iter().map(ends_early));
            verdict
        }
        (NpChoice::Any, Some(range)) => engine.verdict(VerdictKind::Exact, range.widest_text()),
        (NpChoice::Any, None) => {
            let mut verdict = engine.verdict(VerdictKind::Unknown, "any np >= 1".to_owned());
            verdict.reasons.push("every path ends the program early".to_owned());
            verdict
        }
    };
    let few = if first == 2 { "np = 1".to_owned() } else { format!("np < {first}") };
    verdict.reasons.extend(engine.few.iter().map(|reason| format!("{reason} ({few})")));
    verdict.assumptions.extend(assumed_product(engine, &ends, &options.np));
    let is_vast = |np: &u64| i64::try_from(*np).map_or(true, |np| PROCESSES < np);
    let asks_vast = match &options.np {
        NpChoice::Any => true,
        NpChoice::Fixed(counts) => counts.iter().any(is_vast),
    };
    if engine.leaves_out_vast && asks_vast {
        verdict.assumptions.push(format!("there are no more than {PROCESSES} processes"));
    }
    let formulas = Formulas::new(engine, &ends);
    let mut topology = formulas.topology();
    if options.is_checked {
        for instance in SMALL.filter_map(|np| instance(exploration, np)) {
            assert_ne!(formulas.contradicts(&instance), Some(true), "{topology:#?}\n{instance:#?}");
        }
    }
    if let Some(np) = options.instance {
        topology.instance = instance(exploration, np);
        if topology.instance.is_none() {
            let why = "depends on the input, or there are too many messages to list them";
            let open = || format!("who communicates at np = {np} {why}");
            let reason = if goes_on(np) { open() } else { ends_early(np) };
            if !verdict.reasons.contains(&reason) {
                verdict.reasons.push(reason);
            }
        }
    }
    let findings = findings(engine, &options.np);
    if verdict.kind == VerdictKind::Exact {
        verdict.lengths = engine.lengths(&findings);
    }
    report(engine, verdict, topology, findings)
}

/// Numbers of processes at which it is tried whether the program goes its way.
const TRIED: i64 = 40;

fn ends_early(np: u64) -> String {
    format!("every path ends the program early (np = {np})")
}

/// Which product the number of processes is on all paths, if the program ends early where it is none.
fn assumed_product(engine: &Engine<'_>, ends: &[&State], np: &NpChoice) -> Option<String> {
    let product = |state: &&State| state.facts.in_products(&Linear::np());
    let first = ends.iter().map(product).find(Linear::has_products)?;
    // Of given numbers it is said which of them end early.
    if matches!(np, NpChoice::Fixed(_))
        || (1..=TRIED).all(|np| ends.iter().any(|s| is_possible_at(engine, s, np)))
    {
        return None;
    }
    Some(format!("np == {}", engine.symbols.display(&first)?))
}

/// The answer of explorations at fixed process counts, after the symbolic one gave up.
pub(crate) fn bounded_report(
    symbolic: &Exploration<'_>,
    explored: &[(u64, Exploration<'_>)],
    options: &Options,
) -> ProgramReport {
    // A process count at which every path ends the program early answers nothing.
    let answers =
        |e: &Exploration<'_>| e.is_complete() && !e.ends().is_empty() && e.engine.vanished.is_none();
    let complete: Vec<&(u64, Exploration<'_>)> = explored.iter().filter(|(_, e)| answers(e)).collect();
    let wanted = |np: u64| options.np != NpChoice::Any || EXPLORED.contains(&np);
    let counts: Vec<u64> = complete.iter().map(|(np, _)| *np).filter(|&np| wanted(np)).collect();
    let mut verdict = match complete.last() {
        Some((_, last)) if !counts.is_empty() => last.engine.verdict(VerdictKind::Bounded, np_list(&counts)),
        _ => symbolic.engine.verdict(VerdictKind::Unknown, "any np >= 1".to_owned()),
    };
    let Engine { reasons, few, vanished, .. } = &symbolic.engine;
    verdict.reasons.extend(
        vanished.iter().chain(reasons).chain(few.iter().filter(|reason| !reasons.contains(reason))).cloned(),
    );
    for (np, exploration) in explored {
        if exploration.is_complete() && !answers(exploration) {
            verdict.reasons.push(ends_early(*np));
        }
        for reason in exploration.engine.reasons.iter().chain(&exploration.engine.few) {
            let reason = format!("{reason} (np = {np})");
            let known =
                verdict.reasons.iter().any(|r| reason.starts_with(r.split(" (np = ").next().unwrap_or(r)));
            if !known {
                verdict.reasons.push(reason);
            }
        }
    }
    let shown = complete.iter().rev().find(|(np, _)| wanted(*np)).or(complete.last());
    let (engine, mut topology) = match shown {
        Some((np, exploration)) => {
            if 1 < counts.len() {
                verdict.reasons.push(format!("the channels shown are those of np = {np}"));
            }
            (&exploration.engine, Formulas::new(&exploration.engine, &exploration.ends()).topology())
        }
        None => {
            let partial: Vec<&State> = symbolic.walk.outcomes.iter().map(|o| &o.state).collect();
            (&symbolic.engine, Formulas::unfinished(&symbolic.engine, &partial).topology())
        }
    };
    if let Some(np) = options.instance {
        let at = complete.iter().find(|(n, _)| *n == np);
        topology.instance = at.and_then(|(_, e)| instance(e, np));
    }
    let mut all = seen_in(explored);
    // Where paths are open, those that were followed for a few more numbers of processes may show a part of the ranks.
    let followed = symbolic.complete_from().is_some();
    for claim in all_found(&symbolic.engine) {
        let known = all.iter_mut().find(|found| found.key == claim.key);
        match known {
            Some(known) if complete.is_empty() => known.add(claim),
            // What holds for any number of processes says more than what was seen with a few.
            Some(known)
                if options.np == NpChoice::Any
                    && (followed || claim.np.most().is_none())
                    && is_confirmed(&symbolic.engine, &claim, &complete) =>
            {
                known.add(claim)
            }
            None if complete.is_empty() => all.push(claim),
            _ => {}
        }
    }
    if options.np == NpChoice::Any {
        for found in &symbolic.engine.found_elsewhere {
            match all.iter_mut().find(|known| known.key == found.key) {
                Some(known) => known.add(found.clone()),
                None => all.push(found.clone()),
            }
        }
    }
    let mut findings: Vec<Finding> =
        all.iter().flat_map(|found| found.told(&symbolic.engine, &options.np)).collect();
    findings.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    if verdict.kind == VerdictKind::Bounded {
        let mut open = OpenLengths::default();
        for (_, exploration) in complete.iter().filter(|(np, _)| wanted(*np)) {
            open.add(exploration.engine.open_lengths.clone());
        }
        verdict.lengths = engine.lengths_of(&open, &findings);
    }
    report(engine, verdict, topology, findings)
}

/// What explorations of single numbers of processes have found, together.
pub(crate) fn seen_in(explored: &[(u64, Exploration<'_>)]) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for (_, exploration) in explored {
        for found in all_found(&exploration.engine) {
            match all.iter_mut().find(|known| known.key == found.key) {
                Some(known) => known.add(found),
                None => all.push(found),
            }
        }
    }
    all
}

/// Whether some defect shows at a number of processes, and not at a greater one.
pub(crate) fn comes_and_goes(explored: &[(u64, Exploration<'_>)]) -> bool {
    let all = seen_in(explored);
    let shows =
        |found: &Found, run: &Exploration<'_>| all_found(&run.engine).iter().any(|f| f.key == found.key);
    all.iter().any(|found| {
        let mut complete =
            explored.iter().filter(|(_, run)| run.is_complete()).map(|(_, run)| shows(found, run));
        complete.any(|shown| shown) && complete.any(|shown| !shown)
    })
}

/// Whether a defect that is claimed for any number of processes shows at those of the explored ones for which it is claimed, and at no
/// others.
fn is_confirmed(engine: &Engine<'_>, claim: &Found, explored: &[&(u64, Exploration<'_>)]) -> bool {
    let shows = |(np, run): &&(u64, Exploration<'_>)| {
        let shown = all_found(&run.engine).iter().any(|found| found.key == claim.key);
        i64::try_from(*np).is_ok_and(|np| claim.shows_at(engine, np)) == shown
    };
    claim.certain && !claim.doubtful && explored.iter().all(shows)
}

fn report(
    engine: &Engine<'_>,
    verdict: Verdict,
    topology: Topology,
    findings: Vec<Finding>,
) -> ProgramReport {
    let entry = engine.program.units[engine.program.entry.unit].path.to_string_lossy().into_owned();
    ProgramReport {
        entry,
        verdict,
        is_by_model: false,
        topology,
        instances: Vec::new(),
        findings,
        facts: engine.clients.constants.facts(engine),
        uniformity: engine.clients.uniformity.report(engine),
        flows: engine.clients.flow.report(engine),
        proofs: engine.clients.proofs.report(engine),
        datatypes: engine.built_datatypes(),
        seconds: 0.0,
        work: 0,
        questions: 0,
    }
}

/// `2..5`, or `2, 4, 8`.
pub(crate) fn np_list(counts: &[u64]) -> String {
    let contiguous = counts.windows(2).all(|w| w[0] + 1 == w[1]);
    match counts {
        [] => String::new(),
        [one] => one.to_string(),
        [first, .., last] if contiguous => format!("{first}..{last}"),
        _ => counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// Everything that was found on the way.
pub(crate) fn all_found(engine: &Engine<'_>) -> Vec<Found> {
    engine.found.iter().cloned().chain(engine.clients.lifecycles.found()).collect()
}

/// What was found, for the numbers of processes that were asked for.
pub(crate) fn findings(engine: &Engine<'_>, np: &NpChoice) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        all_found(engine).iter().flat_map(|found| found.told(engine, np)).collect();
    findings.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    findings
}
