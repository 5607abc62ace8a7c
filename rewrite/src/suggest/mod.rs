//! From what is known of a program's communication to suggestions. One file per kind of shape.
//!
//! Who communicates with whom, and for which numbers of processes, comes from the topology. What is in the messages comes from the
//! text around the two calls: only what is plain there is believed, such as a loop that does nothing but the call.

mod aliases;
mod combine;
mod constant;
mod counted;
mod cyclic;
mod exchange;
mod flow;
mod forgotten;
mod idle;
mod members;
mod neighbours;
mod overlap;
mod packing;
mod places;
mod rooted;
pub(crate) mod scope;
mod simplify;
mod sum;
mod sweep;
pub(crate) mod unused;
mod values;

use std::collections::BTreeMap;

use analyzer::results::{ProgramReport, Severity, Site, SourceRange, Suggestion, VerdictKind};
use analyzer::rules::Rule;

use crate::text::{Call, SourceFile};
pub use idle::idle_variables;
use scope::Scope;

/// The files that a report points into, as far as they can be read and edited.
pub type Files = BTreeMap<String, SourceFile>;

/// What could be written instead, the first in the source first. Nothing is suggested where the messages are not known for every
/// number of processes that the verdict names, nothing about a program that does something wrong, and nothing about a call that may.
/// What no rule that is `wanted` suggests is not looked for.
#[must_use]
pub fn suggestions(report: &ProgramReport, files: &Files, wanted: impl Fn(Rule) -> bool) -> Vec<Suggestion> {
    if report.verdict.kind != VerdictKind::Exact
        || report.findings.iter().any(|f| f.severity == Severity::Error)
    {
        return Vec::new();
    }
    let scopes: BTreeMap<&str, Scope<'_>> =
        files.iter().map(|(name, file)| (name.as_str(), Scope::new(file))).collect();
    let has_collectives = wanted(Rule::UseCollective);
    let by_shape =
        |index: usize| has_collectives.then(|| rooted::collective(report, index, &scopes)).flatten();
    let mut found = if has_collectives { flow::collectives(report, &scopes) } else { Vec::new() };
    // A loop over all processes says more of itself.
    found.retain(|found| !found.is_rooted || !found.channels.iter().any(|&index| by_shape(index).is_some()));
    let taken: Vec<usize> = found.iter().flat_map(|found| found.channels.iter().copied()).collect();
    let mut all: Vec<Suggestion> = (0..report.topology.channels.len())
        .filter(|index| !taken.contains(index))
        .filter_map(|index| by_shape(index).or_else(|| exchange::both_ways(report, index, &scopes)))
        .collect();
    all.extend(found.into_iter().map(|found| found.suggestion));
    for index in 0..report.topology.channels.len() {
        if wanted(Rule::UseDatatype) {
            all.extend(packing::receives(report, index, &scopes));
        }
        if wanted(Rule::OverlapCommunication) {
            all.extend(overlap::computation(report, index, &scopes));
        }
        if wanted(Rule::UseNeighborCollective) {
            all.extend(neighbours::exchanged(report, index, &scopes));
        }
    }
    if wanted(Rule::ShareConstant) {
        let collectives = 0..report.topology.collectives.len();
        all.extend(collectives.filter_map(|index| constant::broadcasts(report, index, &scopes)));
    }
    all.retain(|suggestion| wanted(suggestion.rule));
    all.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
    all.dedup_by(|a, b| (&a.range, a.rule) == (&b.range, b.rule));
    all
}

/// What could be written instead in a file, whatever program it is part of: datatypes that could be built in a simpler way, loops that
/// do what a datatype does, and redistributions that could follow a schedule; by rules that are `wanted`.
#[must_use]
pub fn of_file(file: &SourceFile, wanted: impl Fn(Rule) -> bool) -> Vec<Suggestion> {
    // Most files build no datatype, or send nothing.
    let kinds = [("MPI_Type_", Rule::SimplifyDatatype), ("end", Rule::UseDatatype)];
    let [builds, sends] = kinds.map(|(word, rule)| wanted(rule) && file.text().contains(word));
    let deals = wanted(Rule::ScheduleRedistribution) && cyclic::may_have_some(file.text());
    if !file.text().contains("MPI_") || !(builds || sends || deals) {
        return Vec::new();
    }
    let scope = Scope::new(file);
    let mut all = if builds { simplify::datatypes(&scope) } else { Vec::new() };
    if sends {
        all.extend(packing::sends(&scope));
    }
    if deals {
        all.extend(cyclic::redistributions(&scope));
    }
    all
}

/// The files that suggestions about a program may have to read.
#[must_use]
pub fn files_of(report: &ProgramReport) -> Vec<&str> {
    if report.verdict.kind != VerdictKind::Exact {
        return Vec::new();
    }
    let channels = report.topology.channels.iter();
    let mut files: Vec<&str> = channels
        .flat_map(|channel| [&channel.send, &channel.recv])
        .chain(report.topology.collectives.iter().flat_map(|collective| &collective.sites))
        .map(|site| site.range.file.as_str())
        .collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// A call of the topology in the text.
fn call_at<'s, 'f>(scopes: &'s BTreeMap<&str, Scope<'f>>, site: &Site) -> Option<(&'s Scope<'f>, Call<'f>)> {
    let scope = scopes.get(site.range.file.as_str())?;
    let call = Call::around_loosely(scope.file, scope.file.node_at(&site.range)?)?;
    (call.mpi.name == site.operation && !scope.is_macro(call.mpi.name)).then_some((scope, call))
}

/// `a`, `a and b`, `a, b and c`.
fn in_words(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// Whether the program does something wrong at one of some places.
fn has_finding(report: &ProgramReport, places: &[&SourceRange]) -> bool {
    let is_defect = |rule: Rule| rule.group() != analyzer::rules::Group::Opportunity;
    report.findings.iter().any(|finding| is_defect(finding.rule) && places.contains(&&finding.range))
}
