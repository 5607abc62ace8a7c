//! From solved contexts to findings.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frontend::ir::{Callee, Expr, Inst, InstKind, Span};
use frontend::mpi::{self, Class};
use frontend::program::{FunctionRef, Resolution};

use super::paths::{Paths, Phase};
use super::reach::needs_init;
use super::{Analysis, Context, Solved, Walk};
use crate::results::{Finding, Related, Severity};
use crate::rules::Rule;
use crate::rules::call::{finding, range};

/// A place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Site {
    unit: usize,
    span: Span,
}

/// A call in the wrong phase.
#[derive(Clone, Copy)]
struct Misplaced {
    site: Site,
    function: &'static mpi::Function,
    /// The call in `main`, or further down, through which control got there.
    through: Option<Site>,
    /// Whether it is given a communicator that is there between `MPI_Init` and `MPI_Finalize` only.
    of_world: bool,
}

/// An end of the program with MPI still initialised.
#[derive(Clone, Copy)]
struct Unfinished {
    site: Site,
    severity: Severity,
    /// An `exit` rather than a return from `main`.
    is_exit: bool,
}

/// What was seen on the walk over all contexts that `main` reaches for certain.
#[derive(Default)]
struct Seen {
    inits: BTreeSet<Site>,
    finalizes: BTreeSet<Site>,
    too_early: Vec<Misplaced>,
    too_late: Vec<Misplaced>,
    again: Vec<Misplaced>,
    unfinished: Vec<Unfinished>,
    /// Contexts to visit, and how they were reached.
    pending: VecDeque<(Context, Option<Site>)>,
    known: BTreeSet<Context>,
}

/// The findings of one program, in no particular order.
pub(super) fn report(analysis: &Analysis<'_>, solved: &Solved) -> Vec<Finding> {
    let mut seen = Seen::default();
    for (context, solution) in &solved.solutions {
        let Some(walk) = Walk::new(analysis, context.0, &solved.summaries) else { continue };
        let note = |_: &Paths, inst: &Inst| note_sites(&mut seen, context.0, inst);
        walk.visit(solution, note, |_, _, _| {});
    }
    let start = (analysis.program.entry, Phase::Before);
    seen.known.insert(start);
    seen.pending.push_back((start, None));
    while let Some((context, through)) = seen.pending.pop_front() {
        visit(analysis, solved, context, through, &mut seen);
    }
    findings(analysis, &seen)
}

/// Whether an expression is one of the communicators that are there between `MPI_Init` and `MPI_Finalize` only.
fn is_of_world(arg: &Expr) -> bool {
    matches!(arg.strip_casts().constant_name(), Some("MPI_COMM_WORLD" | "MPI_COMM_SELF"))
}

/// Where MPI is initialised and finalised at all.
fn note_sites(seen: &mut Seen, function: FunctionRef, inst: &Inst) {
    let InstKind::Call { callee: Callee::Direct { mpi: Some(called), .. }, .. } = &inst.kind else { return };
    let site = Site { unit: function.unit, span: inst.span };
    match called.class {
        Class::Init { .. } => seen.inits.insert(site),
        Class::Finalize => seen.finalizes.insert(site),
        _ => false,
    };
}

fn visit(analysis: &Analysis<'_>, solved: &Solved, context: Context, through: Option<Site>, seen: &mut Seen) {
    let (Some(solution), Some(walk)) =
        (solved.solutions.get(&context), Walk::new(analysis, context.0, &solved.summaries))
    else {
        return;
    };
    let unit = context.0.unit;
    let is_main = context.0 == analysis.program.entry;
    let mut unfinished = Vec::new();
    let at_return = |paths: &Paths, value: Option<&Expr>, span: Span| {
        let Some((Phase::During, way)) = paths.only().filter(|_| is_main) else { return };
        let code = value.and_then(|value| walk.constant(way, value));
        let severity = if code.is_none_or(|code| code == 0) { Severity::Error } else { Severity::Warning };
        unfinished.push(Unfinished { site: Site { unit, span }, severity, is_exit: false });
    };
    let at_inst = |paths: &Paths, inst: &Inst| {
        let Some((phase, way)) = paths.only() else { return };
        let InstKind::Call { callee, args, .. } = &inst.kind else { return };
        let is_doubtful = way.open.iter().any(|&branch| walk.guards.is_suspicious(branch));
        let site = Site { unit, span: inst.span };
        match callee {
            Callee::Direct { mpi: Some(called), .. } => {
                let of_world = args.iter().any(is_of_world);
                let misplaced = Misplaced { site, function: called, through, of_world };
                seen.judge(phase, misplaced, is_doubtful);
            }
            Callee::Direct { name, mpi: None } => match analysis.program.resolve(unit, name) {
                Resolution::Defined(target) => {
                    let context = (target, phase);
                    if !is_doubtful && solved.solutions.contains_key(&context) && seen.known.insert(context) {
                        seen.pending.push_back((context, Some(site)));
                    }
                }
                _ => {
                    let succeeds = &**name == "exit"
                        && phase == Phase::During
                        && args.first().is_some_and(|code| walk.constant(way, code) == Some(0));
                    if succeeds && !is_doubtful {
                        seen.unfinished.push(Unfinished { site, severity: Severity::Warning, is_exit: true });
                    }
                }
            },
            Callee::Indirect(_) => {}
        }
    };
    walk.visit(solution, at_inst, at_return);
    seen.unfinished.extend(unfinished);
}

impl Seen {
    /// Sorts a call of MPI that is only ever reached in one phase.
    fn judge(&mut self, phase: Phase, call: Misplaced, is_doubtful: bool) {
        let is_init = matches!(call.function.class, Class::Init { .. });
        match phase {
            Phase::During | Phase::After if is_init && !is_doubtful => self.again.push(call),
            Phase::Before if needs_init(call.function) && !is_doubtful => self.too_early.push(call),
            Phase::After if needs_init(call.function) && !is_doubtful => self.too_late.push(call),
            _ => {}
        }
    }
}

fn findings(analysis: &Analysis<'_>, seen: &Seen) -> Vec<Finding> {
    let mut findings = Vec::new();
    let has_session = analysis.reaches.has_session;
    for call in &seen.again {
        let message = format!("{} is called although MPI was initialised before", call.function.name);
        let mut found = at(analysis, Rule::DoubleInit, Severity::Error, call.site, message);
        found.related.extend(initialised(analysis, seen, Some(call.site)));
        findings.push(found);
    }
    // What a session gives the program may be used without MPI_Init (MPI-4.1 section 11.3).
    let counts = |call: &Misplaced| !has_session || call.of_world;
    let too_early: Vec<Misplaced> = seen.too_early.iter().copied().filter(counts).collect();
    if let Some((first, rest)) = too_early.split_first() {
        let message = if seen.inits.is_empty() && !analysis.reaches.has_unseen_init {
            format!("{} is called, but the program never calls MPI_Init", first.function.name)
        } else {
            format!("{} is called before MPI_Init", first.function.name)
        };
        let mut found = at(analysis, Rule::MissingInit, Severity::Error, first.site, message);
        found.related.extend(first.through.map(|site| related(analysis, site, "reached through this call")));
        if !seen.inits.is_empty() {
            found.related.extend(rest_of(analysis, rest, "also called before MPI_Init"));
            found.related.extend(initialised(analysis, seen, None));
        }
        findings.push(found);
    }
    // One finding per function in which the late calls stand.
    let mut late: BTreeMap<Option<Site>, Vec<Misplaced>> = BTreeMap::new();
    for call in seen.too_late.iter().filter(|call| counts(call)) {
        late.entry(call.through).or_default().push(*call);
    }
    for calls in late.values() {
        let Some((first, rest)) = calls.split_first() else { continue };
        let message = format!("{} is called after MPI_Finalize", first.function.name);
        let mut found = at(analysis, Rule::CallAfterFinalize, Severity::Error, first.site, message);
        found.related.extend(first.through.map(|site| related(analysis, site, "reached through this call")));
        found.related.extend(rest_of(analysis, rest, "also called after MPI_Finalize"));
        let ends = seen.finalizes.iter().filter(|site| **site != first.site).take(3);
        found.related.extend(ends.map(|site| related(analysis, *site, "MPI is finalised here")));
        findings.push(found);
    }
    findings.extend(unfinished(analysis, seen));
    findings
}

fn unfinished(analysis: &Analysis<'_>, seen: &Seen) -> Vec<Finding> {
    if analysis.reaches.has_exit_handler {
        return Vec::new();
    }
    let mut ends = seen.unfinished.clone();
    if seen.finalizes.is_empty() {
        // Nothing finalises MPI at all: one finding says it, at the end of the run that went well.
        ends.sort_by_key(|end| (std::cmp::Reverse(end.severity), end.is_exit, std::cmp::Reverse(end.site)));
        ends.truncate(1);
    }
    // Every way out that gives up makes the same mistake: one finding names them all.
    let gives_up = |end: &Unfinished| end.severity == Severity::Warning && !end.is_exit;
    let mut given_up: Vec<Unfinished> = ends.iter().copied().filter(gives_up).collect();
    given_up.sort_by_key(|end| end.site);
    ends.retain(|end| !gives_up(end));
    ends.extend(given_up.first());
    let rest: Vec<Site> = given_up.iter().skip(1).map(|end| end.site).collect();
    ends.into_iter()
        .map(|end| {
            let what = if end.is_exit { "the program exits" } else { "`main` returns" };
            let message = if seen.finalizes.is_empty() && !analysis.reaches.has_unseen_finalize {
                format!("{what}, and the program never calls MPI_Finalize")
            } else {
                format!("{what} without MPI_Finalize")
            };
            let mut found = at(analysis, Rule::MissingFinalize, end.severity, end.site, message);
            if gives_up(&end) {
                let message = "this way out lacks it too";
                found.related.extend(rest.iter().take(20).map(|site| related(analysis, *site, message)));
            }
            found.related.extend(initialised(analysis, seen, None));
            found
        })
        .collect()
}

/// Where MPI is initialised, some place aside.
fn initialised(analysis: &Analysis<'_>, seen: &Seen, except: Option<Site>) -> Vec<Related> {
    let inits = seen.inits.iter().filter(|site| Some(**site) != except);
    inits.take(3).map(|site| related(analysis, *site, "MPI is initialised here")).collect()
}

fn rest_of(analysis: &Analysis<'_>, calls: &[Misplaced], message: &str) -> Vec<Related> {
    calls.iter().take(5).map(|call| related(analysis, call.site, message)).collect()
}

fn at(analysis: &Analysis<'_>, rule: Rule, severity: Severity, site: Site, message: String) -> Finding {
    finding(rule, severity, message, range(&analysis.program.units[site.unit], site.span))
}

fn related(analysis: &Analysis<'_>, site: Site, message: &str) -> Related {
    Related { range: range(&analysis.program.units[site.unit], site.span), message: message.to_owned() }
}
