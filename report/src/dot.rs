//! Topologies in the language of Graphviz: process sets and the channels between them, or the ranks of one number of
//! processes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analyzer::results::{Instance, ProgramReport};

use crate::cells::{Amount, cells};
use crate::instances::instances;
use crate::outcome::Outcome;
use crate::text::{clean, particulars, place, verdict_sentence};

/// A graph for each program; where its messages are listed, one for each number of processes instead.
#[must_use]
pub fn topology(outcome: &Outcome) -> String {
    let mut text = String::new();
    for program in &outcome.programs {
        let found = instances(program);
        if found.is_empty() {
            text.push_str(&sets(program));
        }
        for instance in found {
            text.push_str(&ranks(program, instance));
        }
    }
    text
}

fn begin(program: &ProgramReport, more: &str) -> String {
    let title = format!("{}{more}: {}", clean(&program.entry), verdict_sentence(&program.verdict));
    format!(
        "digraph {} {{\n    label = {};\n    labelloc = t;\n    node [fontname = \"sans-serif\"];\n    \
         edge [fontname = \"sans-serif\", fontsize = 10];\n",
        quoted(&format!("{}{more}", clean(&program.entry))),
        quoted(&title)
    )
}

fn sets(program: &ProgramReport) -> String {
    let mut text = begin(program, "");
    let topology = &program.topology;
    let mut nodes: BTreeMap<&str, usize> = BTreeMap::new();
    let named = topology.channels.iter().flat_map(|channel| [&channel.senders, &channel.receivers]);
    for name in named.chain(topology.collectives.iter().map(|collective| &collective.ranks)) {
        let number = nodes.len();
        nodes.entry(name).or_insert(number);
    }
    for (name, number) in &nodes {
        let _ = writeln!(text, "    s{number} [shape = box, label = {}];", quoted(&clean(name)));
    }
    let node = |name: &str| nodes.get(name).copied().unwrap_or(0);
    for (index, channel) in topology.channels.iter().enumerate() {
        let label = format!(
            "{}: {} -> {}\nto {}\n{}",
            index + 1,
            place(&channel.send.range, &program.entry),
            place(&channel.recv.range, &program.entry),
            clean(&channel.partner),
            particulars(channel)
        );
        let (from, to) = (node(&channel.senders), node(&channel.receivers));
        let _ = writeln!(text, "    s{from} -> s{to} [label = {}];", quoted(&label));
    }
    for (index, collective) in topology.collectives.iter().enumerate() {
        let lines = collective.sites.iter().map(|site| place(&site.range, &program.entry));
        let label = format!("{}\n{}", clean(&collective.operation), lines.collect::<Vec<_>>().join(", "));
        let _ = writeln!(text, "    c{index} [shape = ellipse, style = dashed, label = {}];", quoted(&label));
        let _ = writeln!(text, "    s{} -> c{index} [dir = none, style = dashed];", node(&collective.ranks));
    }
    text.push_str("}\n");
    text
}

fn ranks(program: &ProgramReport, instance: &Instance) -> String {
    let mut text = begin(program, &format!(" at np = {}", instance.np));
    for rank in 0..instance.np {
        let _ = writeln!(text, "    {rank};");
    }
    for ((from, to), cell) in cells(instance) {
        let number = match cell.messages {
            Amount::Known(1) => String::new(),
            Amount::Known(number) => format!(" [label = {number}]"),
            Amount::DependsOnInput => " [label = \"?\"]".to_owned(),
        };
        let _ = writeln!(text, "    {from} -> {to}{number};");
    }
    text.push_str("}\n");
    text
}

/// A string of the language. A backslash of the text is no escape, a line feed is one.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
