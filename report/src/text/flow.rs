//! Information flow and uniformity, in words.

use std::fmt::Write as _;

use analyzer::results::{
    Agreement, Flow, FlowEnd, FlowHop, ProgramReport, Site, SourceRange, Uniform, VerdictKind,
};

use super::findings::ranks_phrase;
use super::topology::place;
use super::{BOLD, clean, styled};
use crate::outcome::Outcome;

/// The flows of one program over its topology, a line for each: where the data comes from, over which channels it may come, where it
/// goes.
pub(super) fn overlay(flows: &[Flow], program: &ProgramReport) -> Vec<String> {
    if flows.is_empty() {
        let so_far = match program.verdict.kind {
            VerdictKind::Exact => "",
            VerdictKind::Bounded => " at these numbers of processes",
            VerdictKind::Unknown => " as far as the program was followed",
        };
        return vec![format!("none{so_far}")];
    }
    let entry = &program.entry;
    let line = |flow: &Flow| {
        let mut text = end(&flow.source, entry);
        for hop in &flow.path {
            let _ = write!(text, " -> {}", overlay_hop(hop, program));
        }
        let _ = write!(text, " -> {}", end(&flow.sink, entry));
        if flow.implicit {
            text.push_str(", by a decision");
        }
        text
    };
    flows.iter().map(line).collect()
}

/// A channel by its number where the topology lists one between the two calls.
fn overlay_hop(hop: &FlowHop, program: &ProgramReport) -> String {
    let FlowHop::Channel { send, recv } = hop else { return hop_text(hop, &program.entry) };
    let numbers: Vec<String> = program
        .topology
        .channels
        .iter()
        .enumerate()
        .filter(|(_, channel)| channel.send == *send && channel.recv == *recv)
        .map(|(index, _)| (index + 1).to_string())
        .collect();
    match numbers.as_slice() {
        [] => hop_text(hop, &program.entry),
        [one] => format!("channel {one}"),
        several => format!("channels {}", several.join(", ")),
    }
}

fn hop_text(hop: &FlowHop, entry: &str) -> String {
    match hop {
        FlowHop::Channel { send, recv } => format!("{} to {}", site(send, entry), site(recv, entry)),
        FlowHop::Collective { operation, sites } => {
            let places: Vec<String> = sites.iter().map(|site| place(&site.range, entry)).collect();
            format!("{} {}", clean(operation), places.join(", "))
        }
    }
}

fn site(site: &Site, entry: &str) -> String {
    format!("{} {}", clean(&site.operation), place(&site.range, entry))
}

/// `read_input line 12 (rank 0)`.
fn end(end: &FlowEnd, entry: &str) -> String {
    let name = styled(BOLD, &clean(&end.name));
    format!("{name} {} ({})", place(&end.range, entry), ranks_phrase(&end.ranks))
}

/// What `anyrank lint` says about flows: a note for each, at the sink.
#[must_use]
pub fn flow_notes(outcome: &Outcome) -> String {
    let mut text = String::new();
    for program in &outcome.programs {
        for flow in program.flows.iter().flatten() {
            let SourceRange { file, line, column, .. } = &flow.sink.range;
            let verb = if flow.implicit { "a decision made by" } else { "data from" };
            let _ = write!(
                text,
                "{}: {verb} {} may reach `{}` here ({})",
                styled(BOLD, &format!("{}:{line}:{column}: note", clean(file))),
                end(&flow.source, file),
                clean(&flow.sink.name),
                ranks_phrase(&flow.sink.ranks),
            );
            let hops: Vec<String> = flow.path.iter().map(|hop| hop_text(hop, file)).collect();
            if !hops.is_empty() {
                let _ = write!(text, ", over {}", hops.join(", then "));
            }
            text.push('\n');
        }
    }
    text
}

/// One line for each call or branch, with what is known of its arguments.
pub(super) fn uniformity_lines(uniformity: &[Uniform], entry: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for chunk in uniformity.chunk_by(|a, b| a.range == b.range && a.operation == b.operation) {
        let arguments: Vec<String> = chunk.iter().map(argument).collect();
        let first = &chunk[0];
        lines.push(format!(
            "{}: {} on {}: {}",
            place(&first.range, entry),
            clean(&first.operation),
            ranks_phrase(&first.ranks),
            arguments.join(", ")
        ));
    }
    if lines.is_empty() {
        lines.push("no MPI call and no branch was met".to_owned());
    }
    lines
}

fn argument(uniform: &Uniform) -> String {
    let name = clean(&uniform.argument);
    match &uniform.agreement {
        Agreement::Same(Some(value)) => format!("{name} = {}", clean(value)),
        Agreement::Same(None) => format!("{name} equal"),
        Agreement::Differs => format!("{name} differs"),
        Agreement::Unknown => format!("{name} not known"),
    }
}
