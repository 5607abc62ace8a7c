//! Who talks to whom, in words.

use std::fmt::Write as _;

use analyzer::results::{Channel, Collective, Fact, Instance, Pattern, ProgramReport, Site, SourceRange};

use super::findings::ranks_phrase;
use super::matrix::{LARGEST_MATRIX, matrix};
use super::{BOLD, DIM, clean, styled, verdict_sentence};
use crate::cells::{cells, total};

/// The topology of one program: the verdict, a block per channel, the collectives, the shapes they form, what was
/// assumed and what stood in the way. Ends in a line feed.
#[must_use]
pub fn topology(program: &ProgramReport) -> String {
    let topology = &program.topology;
    let mut text =
        format!("{}: {}\n", styled(BOLD, &clean(&program.entry)), verdict_sentence(&program.verdict));
    for (index, channel) in topology.channels.iter().enumerate() {
        text.push_str(&channel_block(index + 1, channel, &program.entry));
    }
    if topology.channels.is_empty() {
        text.push_str("  no point-to-point messages\n");
    }
    if !topology.collectives.is_empty() {
        heading(&mut text, "collectives");
        for collective in &topology.collectives {
            let _ = writeln!(text, "    {}", collective_line(collective, &program.entry));
        }
    }
    if !topology.patterns.is_empty() {
        heading(&mut text, "patterns");
        for pattern in &topology.patterns {
            let _ = writeln!(text, "    {}", pattern_line(pattern));
        }
    }
    for (title, lines) in besides(program) {
        heading(&mut text, title);
        for line in lines {
            let _ = writeln!(text, "    {line}");
        }
    }
    list(&mut text, "assumptions", &program.verdict.assumptions);
    list(&mut text, "reasons", &program.verdict.reasons);
    list(&mut text, "lengths not proved", program.verdict.lengths.reasons());
    text
}

/// What was found out besides: a title and lines for each that there is or was asked for. The lines are styled.
pub(crate) fn besides(program: &ProgramReport) -> Vec<(&'static str, Vec<String>)> {
    let mut found = Vec::new();
    if !program.facts.is_empty() {
        let lines = program.facts.iter().map(|fact| fact_line(fact, &program.entry)).collect();
        found.push(("constants that reach an output", lines));
    }
    if let Some(uniformity) = &program.uniformity {
        found.push(("equal on all ranks", super::flow::uniformity_lines(uniformity, &program.entry)));
    }
    if let Some(flows) = &program.flows {
        found.push(("information flow", super::flow::overlay(flows, program)));
    }
    if let Some(proofs) = &program.proofs {
        found.push(("why sends match receives", super::proofs::lines(proofs, &program.entry)));
    }
    found
}

/// The messages at one number of processes: a matrix of how many each rank sends to each other, where that is small
/// enough to read.
#[must_use]
pub fn instance_matrix(instance: &Instance) -> String {
    let mut text = String::new();
    let messages = total(&cells(instance)).messages.phrase("message");
    heading(&mut text, &format!("at np = {}: {messages}", instance.np));
    if instance.np <= LARGEST_MATRIX {
        text.push_str(&matrix(instance));
    } else {
        let _ = writeln!(
            text,
            "    (a matrix is printed up to np = {LARGEST_MATRIX}; --format html draws it, --format json has them all)"
        );
    }
    text
}

fn heading(text: &mut String, title: &str) {
    let _ = writeln!(text, "  {}", styled(BOLD, title));
}

fn list(text: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    heading(text, title);
    for item in items {
        let _ = writeln!(text, "    - {}", clean(item));
    }
}

fn channel_block(number: usize, channel: &Channel, entry: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "  {} {} -> {}",
        styled(BOLD, &format!("channel {number}:")),
        site(&channel.send, entry),
        site(&channel.recv, entry)
    );
    for sentence in [sending(channel), receiving(channel), particulars(channel)] {
        let _ = writeln!(text, "    {sentence}");
    }
    text
}

/// Who sends to whom: `Rank 0 sends to each of [1..np-1]`.
pub(crate) fn sending(channel: &Channel) -> String {
    sentence(&channel.senders, "send", "to", &channel.partner)
}

/// Who receives from whom: `Ranks [1..np-1] receive from 0`.
pub(crate) fn receiving(channel: &Channel) -> String {
    sentence(&channel.receivers, "receive", "from", &channel.source)
}

/// What is sent: `1 MPI_DOUBLE, tag 2, MPI_COMM_WORLD, once per pair`.
pub(crate) fn particulars(channel: &Channel) -> String {
    format!(
        "{} {}, tag {}, {}, {}",
        clean(&channel.count),
        datatype_phrase(&channel.datatype),
        clean(&channel.tag),
        clean(&channel.communicator),
        repeat_phrase(&channel.repeat)
    )
}

/// `Rank 0 sends to 1`, `Ranks [1..np-1] receive from 0`, `Rank np-2 sends to np - 1, for np >= 3`.
fn sentence(ranks: &str, verb: &str, preposition: &str, other: &str) -> String {
    let subject = ranks_phrase(ranks);
    let (subject, condition) = match subject.split_once(" for ") {
        Some((subject, condition)) => (subject, format!(", for {condition}")),
        None => (subject.as_str(), String::new()),
    };
    let (number, ending) = match subject.strip_prefix("rank ") {
        Some(rank) => (format!("Rank {rank}"), "s"),
        None => (subject.replacen("ranks", "Ranks", 1), ""),
    };
    format!("{number} {verb}{ending} {preposition} {}{condition}", clean(other))
}

fn datatype_phrase(datatype: &str) -> String {
    if datatype == "unknown" { "of unknown datatype".to_owned() } else { clean(datatype) }
}

fn repeat_phrase(repeat: &str) -> String {
    match repeat {
        "1" => "once per pair".to_owned(),
        "unknown" => "an unknown number of times per pair".to_owned(),
        formula => format!("{} times per pair", clean(formula)),
    }
}

/// `MPI_Send line 12`; the function where it is not `main`, the file where it is not the entry's.
pub(super) fn site(site: &Site, entry: &str) -> String {
    let mut text = styled(BOLD, &clean(&site.operation));
    let _ = write!(text, " {}", place(&site.range, entry));
    if site.function != "main" {
        text.push_str(&styled(DIM, &format!(" in {}", clean(&site.function))));
    }
    text
}

/// `line 12`; the file where it is not the entry's.
pub(crate) fn place(range: &SourceRange, entry: &str) -> String {
    place_in(&range.file, range.line, entry)
}

/// As [`place`].
pub(crate) fn place_in(file: &str, line: u32, entry: &str) -> String {
    if file == entry { format!("line {line}") } else { format!("{}:{line}", clean(file)) }
}

fn collective_line(collective: &Collective, entry: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for site in &collective.sites {
        let place = if site.range.file == entry {
            site.range.line.to_string()
        } else {
            format!("{}:{}", clean(&site.range.file), site.range.line)
        };
        lines.push(place);
    }
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let mut text = format!("{} {noun} {}", styled(BOLD, &clean(&collective.operation)), lines.join(", "));
    let _ = write!(text, ", {}", collective_particulars(collective));
    text
}

/// Root, ranks, communicator and number: `root 0, ranks [0..np-1], MPI_COMM_WORLD, once`.
pub(crate) fn collective_particulars(collective: &Collective) -> String {
    let root = collective.root.as_ref().map(|root| format!("root {}, ", clean(root))).unwrap_or_default();
    let times = match collective.repeat.as_str() {
        "1" => "once".to_owned(),
        "unknown" => "an unknown number of times".to_owned(),
        formula => format!("{} times", clean(formula)),
    };
    format!("{root}{}, {}, {times}", ranks_phrase(&collective.ranks), clean(&collective.communicator))
}

pub(crate) fn pattern_line(pattern: &Pattern) -> String {
    let numbers: Vec<_> = pattern.channels.iter().map(|index| (index + 1).to_string()).collect();
    let noun = if numbers.len() == 1 { "channel" } else { "channels" };
    format!("{}: {noun} {}", clean(&pattern.name), numbers.join(", "))
}

fn fact_line(fact: &Fact, entry: &str) -> String {
    let place = place(&fact.range, entry);
    let values: Vec<_> =
        fact.values.iter().map(|(text, value)| format!("{} = {value}", clean(text))).collect();
    format!("{place}: {} gets {} on {}", clean(&fact.function), values.join(", "), ranks_phrase(&fact.ranks))
}
