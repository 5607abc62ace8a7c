//! What anyrank answers about a program, in the words of an expect block.

use analyzer::results::{Channel, Collective, Fact, ProgramReport, Site, SourceRange, VerdictKind};

use super::program::Places;

/// The lines of the expect block that this report deserves.
pub fn lines(program: &ProgramReport, places: &Places) -> Vec<String> {
    let verdict = &program.verdict;
    let mut lines = vec![match verdict.kind {
        VerdictKind::Exact => format!("verdict: exact for {}", verdict.np),
        VerdictKind::Bounded => format!("verdict: bounded to {}", verdict.np),
        VerdictKind::Unknown => "verdict: unknown".to_owned(),
    }];
    lines.extend(
        verdict.assumptions.iter().map(|assumption| format!("assuming: {}", with_places(assumption, places))),
    );
    lines.extend(verdict.reasons.iter().map(|reason| format!("because: {}", with_places(reason, places))));
    // Of what is not decided nothing is proved at all.
    if verdict.kind != VerdictKind::Unknown {
        let open = verdict.lengths.reasons().iter();
        lines.extend(open.map(|reason| format!("lengths: not proved, {}", with_places(reason, places))));
    }
    let topology = &program.topology;
    for channel in &topology.channels {
        channel_lines(channel, places, &mut lines);
    }
    lines.extend(topology.collectives.iter().map(|collective| collective_line(collective, places)));
    for pattern in &topology.patterns {
        let parts: Vec<_> = pattern
            .channels
            .iter()
            .map(|&index| {
                topology.channels.get(index).map_or("?".to_owned(), |channel| arrow(channel, places))
            })
            .collect();
        lines.push(format!("pattern: {} of {}", pattern.name, parts.join(", ")));
    }
    lines.extend(program.facts.iter().map(|fact| fact_line(fact, places)));
    lines
}

/// A call may span lines; its label stands on one of them.
fn place(range: &SourceRange, places: &Places) -> String {
    let mut lines = range.line..=range.end_line.max(range.line);
    lines
        .find_map(|line| places.label(&range.file, line))
        .unwrap_or_else(|| places.line(&range.file, range.line))
}

/// A sentence with its `line N` in the words of the block, which do not change when the block grows.
fn with_places(sentence: &str, places: &Places) -> String {
    let mut parts = sentence.split("line ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        match part[..digits].parse() {
            Ok(line) => {
                let head = &places.head;
                text.push_str(&places.label(head, line).unwrap_or_else(|| places.line(head, line)));
                text.push_str(&part[digits..]);
            }
            Err(_) => {
                text.push_str("line ");
                text.push_str(part);
            }
        }
    }
    text
}

/// `@give`; the operation too where it is not the plain one.
fn site(site: &Site, plain: &str, places: &Places) -> String {
    let place = place(&site.range, places);
    if site.operation == plain { place } else { format!("{} {place}", site.operation) }
}

fn arrow(channel: &Channel, places: &Places) -> String {
    format!("{} -> {}", site(&channel.send, "MPI_Send", places), site(&channel.recv, "MPI_Recv", places))
}

fn channel_lines(channel: &Channel, places: &Places, lines: &mut Vec<String>) {
    lines.push(format!("channel: {}", arrow(channel, places)));
    lines.push(format!("  senders {} to {}", channel.senders, channel.partner));
    lines.push(format!("  receivers {} from {}", channel.receivers, channel.source));
    lines.push(format!(
        "  {} {}, tag {}, {}, repeat {}",
        channel.count,
        channel.datatype,
        channel.tag,
        unplaced(&channel.communicator),
        channel.repeat
    ));
}

fn collective_line(collective: &Collective, places: &Places) -> String {
    let places: Vec<_> = collective.sites.iter().map(|site| place(&site.range, places)).collect();
    let root = collective.root.as_ref().map_or(String::new(), |root| format!(" root {root},"));
    format!(
        "collective: {} {},{root} ranks {}, {}, repeat {}",
        collective.operation,
        places.join(" "),
        collective.ranks,
        unplaced(&collective.communicator),
        collective.repeat
    )
}

fn fact_line(fact: &Fact, places: &Places) -> String {
    let values: Vec<_> = fact.values.iter().map(|(text, value)| format!("{text} = {value}")).collect();
    format!("fact: {} {} on {}: {}", place(&fact.range, places), fact.function, fact.ranks, values.join(", "))
}

/// The description of a communicator without the line that makes it, which moves with the length of the block itself.
fn unplaced(communicator: &str) -> &str {
    communicator.split(" (line ").next().unwrap_or(communicator)
}
