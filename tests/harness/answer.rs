//! What anyrank answers about a program, in the words of an expect block.

use analyzer::results::{Channel, Collective, Fact, ProgramReport, Site, SourceRange, VerdictKind};

use super::program::Labels;

/// The lines of the expect block that this report deserves.
pub fn lines(program: &ProgramReport, labels: &Labels) -> Vec<String> {
    let verdict = &program.verdict;
    let mut lines = vec![match verdict.kind {
        VerdictKind::Exact => format!("verdict: exact for {}", verdict.np),
        VerdictKind::Bounded => format!("verdict: bounded to {}", verdict.np),
        VerdictKind::Unknown => "verdict: unknown".to_owned(),
    }];
    lines.extend(verdict.assumptions.iter().map(|assumption| format!("assuming: {assumption}")));
    lines.extend(verdict.reasons.iter().map(|reason| format!("because: {reason}")));
    let topology = &program.topology;
    for channel in &topology.channels {
        channel_lines(channel, labels, &mut lines);
    }
    lines.extend(topology.collectives.iter().map(|collective| collective_line(collective, labels)));
    for pattern in &topology.patterns {
        let parts: Vec<_> = pattern
            .channels
            .iter()
            .map(|&index| {
                topology.channels.get(index).map_or("?".to_owned(), |channel| arrow(channel, labels))
            })
            .collect();
        lines.push(format!("pattern: {} of {}", pattern.name, parts.join(", ")));
    }
    lines.extend(program.facts.iter().map(|fact| fact_line(fact, labels)));
    lines
}

/// `@label`, or the line where there is none. A call may span lines; the label stands on one of them.
fn place(range: &SourceRange, labels: &Labels) -> String {
    let label = (range.line..=range.end_line.max(range.line))
        .find_map(|line| labels.get(&(range.file.clone(), line)));
    label.map_or_else(|| format!("{}:{}", range.file, range.line), |label| format!("@{label}"))
}

/// `@give`; the operation too where it is not the plain one.
fn site(site: &Site, plain: &str, labels: &Labels) -> String {
    let place = place(&site.range, labels);
    if site.operation == plain { place } else { format!("{} {place}", site.operation) }
}

fn arrow(channel: &Channel, labels: &Labels) -> String {
    format!("{} -> {}", site(&channel.send, "MPI_Send", labels), site(&channel.recv, "MPI_Recv", labels))
}

fn channel_lines(channel: &Channel, labels: &Labels, lines: &mut Vec<String>) {
    lines.push(format!("channel: {}", arrow(channel, labels)));
    lines.push(format!("  senders {} to {}", channel.senders, channel.partner));
    lines.push(format!("  receivers {} from {}", channel.receivers, channel.source));
    lines.push(format!(
        "  {} {}, tag {}, {}, repeat {}",
        channel.count, channel.datatype, channel.tag, channel.communicator, channel.repeat
    ));
}

fn collective_line(collective: &Collective, labels: &Labels) -> String {
    let places: Vec<_> = collective.sites.iter().map(|site| place(&site.range, labels)).collect();
    let root = collective.root.as_ref().map_or(String::new(), |root| format!(" root {root},"));
    format!(
        "collective: {} {},{root} ranks {}, {}, repeat {}",
        collective.operation,
        places.join(" "),
        collective.ranks,
        collective.communicator,
        collective.repeat
    )
}

fn fact_line(fact: &Fact, labels: &Labels) -> String {
    let values: Vec<_> = fact.values.iter().map(|(text, value)| format!("{text} = {value}")).collect();
    format!("fact: {} {} on {}: {}", place(&fact.range, labels), fact.function, fact.ranks, values.join(", "))
}
