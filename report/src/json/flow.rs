//! Information flow and uniformity as JSON: keys that appear only where they were asked for.

use std::collections::BTreeMap;

use serde::Serialize;

use analyzer::results::{Agreement, Fact, Flow, FlowEnd, FlowHop, ProgramReport, Uniform};

use super::{SiteView, site};
use crate::outcome::Outcome;

#[derive(Serialize)]
pub(super) struct ProgramFlowView<'a> {
    entry: &'a str,
    #[serde(flatten)]
    flow: FlowView<'a>,
}

#[derive(Serialize)]
pub(super) struct FlowView<'a> {
    source: EndView<'a>,
    sink: EndView<'a>,
    path: Vec<HopView<'a>>,
    implicit: bool,
}

#[derive(Serialize)]
struct EndView<'a> {
    name: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    ranks: &'a str,
}

/// A message has its two calls, a collective all of its own.
#[derive(Serialize)]
#[serde(untagged)]
enum HopView<'a> {
    Channel { send: SiteView<'a>, recv: SiteView<'a> },
    Collective { operation: &'a str, sites: Vec<SiteView<'a>> },
}

#[derive(Serialize)]
pub(super) struct FactsView<'a> {
    constants: Vec<ConstantsView<'a>>,
    uniformity: Vec<UniformView<'a>>,
}

#[derive(Serialize)]
struct ConstantsView<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    function: &'a str,
    ranks: &'a str,
    values: BTreeMap<&'a str, i64>,
}

#[derive(Serialize)]
struct UniformView<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    operation: &'a str,
    argument: &'a str,
    ranks: &'a str,
    /// Whether the ranks agree; `null`: not known.
    equal: Option<bool>,
    /// On what, where that has a form.
    value: Option<&'a str>,
}

/// The flows of all programs, if any were asked for.
pub(super) fn all(outcome: &Outcome) -> Option<Vec<ProgramFlowView<'_>>> {
    let asked = outcome.programs.iter().any(|program| program.flows.is_some());
    let flows = outcome.programs.iter().flat_map(|program| {
        let view = |f| ProgramFlowView { entry: &program.entry, flow: flow(f) };
        program.flows.iter().flatten().map(view)
    });
    asked.then(|| flows.collect())
}

pub(super) fn flow(flow: &Flow) -> FlowView<'_> {
    FlowView {
        source: end(&flow.source),
        sink: end(&flow.sink),
        path: flow.path.iter().map(hop).collect(),
        implicit: flow.implicit,
    }
}

fn end(end: &FlowEnd) -> EndView<'_> {
    EndView {
        name: &end.name,
        file: &end.range.file,
        line: end.range.line,
        column: end.range.column,
        function: &end.function,
        ranks: &end.ranks,
    }
}

fn hop(hop: &FlowHop) -> HopView<'_> {
    match hop {
        FlowHop::Channel { send, recv } => HopView::Channel { send: site(send), recv: site(recv) },
        FlowHop::Collective { operation, sites } => {
            HopView::Collective { operation, sites: sites.iter().map(site).collect() }
        }
    }
}

/// What is known of values, if it was asked for.
pub(super) fn facts(program: &ProgramReport) -> Option<FactsView<'_>> {
    let uniformity = program.uniformity.as_ref()?;
    Some(FactsView {
        constants: program.facts.iter().map(constants).collect(),
        uniformity: uniformity.iter().map(uniform).collect(),
    })
}

fn constants(fact: &Fact) -> ConstantsView<'_> {
    ConstantsView {
        file: &fact.range.file,
        line: fact.range.line,
        column: fact.range.column,
        function: &fact.function,
        ranks: &fact.ranks,
        values: fact.values.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
    }
}

fn uniform(uniform: &Uniform) -> UniformView<'_> {
    let (equal, value) = match &uniform.agreement {
        Agreement::Same(value) => (Some(true), value.as_deref()),
        Agreement::Differs => (Some(false), None),
        Agreement::Unknown => (None, None),
    };
    UniformView {
        file: &uniform.range.file,
        line: uniform.range.line,
        column: uniform.range.column,
        operation: &uniform.operation,
        argument: &uniform.argument,
        ranks: &uniform.ranks,
        equal,
        value,
    }
}
