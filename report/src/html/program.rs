//! The section of one program: what holds for any number of processes.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};

use analyzer::results::{Channel, Finding, Instance, Message, ProgramReport, Site, VerdictKind};

use super::{finding, source};
use crate::sources::Sources;
use crate::svg;
use crate::text::{
    besides, clean, collective_particulars, particulars, pattern_line, place, receiving, sending,
    verdict_sentence,
};

/// Where a call is: its file and line.
pub(super) type Place<'a> = (&'a str, u32);

/// A program with what the page shows of it.
pub(super) struct Shown<'a> {
    pub(super) index: usize,
    pub(super) program: &'a ProgramReport,
    pub(super) findings: Vec<&'a Finding>,
    /// By number of processes, ascending.
    pub(super) instances: Vec<&'a Instance>,
    /// Numbers of processes whose messages there was no room for.
    pub(super) too_many: Vec<u64>,
    pub(super) wanted: &'a [u64],
    /// All calls that send or receive, sorted.
    pub(super) places: Vec<Place<'a>>,
    pub(super) sources: &'a Sources,
}

impl Shown<'_> {
    pub(super) fn section(&self) -> Markup {
        let topology = &self.program.topology;
        let verdict = &self.program.verdict;
        let id = format!("p{}", self.index);
        html! {
            section.program id=(id) data-program=(self.index) aria-labelledby={ (id) "-title" } {
                h2 id={ (id) "-title" } { code { (clean(&self.program.entry)) } }
                p.verdict { (sentence_case(&verdict_sentence(verdict))) "." }
                p.caption { (meaning(verdict.kind)) }
                (self.reservations())
                @if !self.findings.is_empty() {
                    h3 { "Findings" }
                    @for found in &self.findings { (finding::linked(found, self.index, self.program)) }
                }
                h3 { "Channels" }
                @if topology.channels.is_empty() { p { "No point-to-point messages." } }
                @if let Some(picture) = svg::sets(self.program, &format!("p{}-c", self.index)) {
                    div.wide tabindex="0" role="group" aria-label="Process sets and channels" {
                        (PreEscaped(picture.node.to_string()))
                    }
                    p.caption {
                        "Process sets from left to right, lines of the source from top to bottom; each arrow is a channel, "
                        "from the call that sends to the call that receives, and leads to its description."
                    }
                }
                @for (index, channel) in topology.channels.iter().enumerate() { (self.channel(index, channel)) }
                @if !topology.patterns.is_empty() {
                    h3 { "Patterns" }
                    ul { @for pattern in &topology.patterns { li { (pattern_line(pattern)) } } }
                }
                (self.collectives())
                (self.at_np())
                @for (title, lines) in besides(self.program) {
                    details {
                        summary { (sentence_case(title)) }
                        ul.lines { @for line in lines { li { (anstream::adapter::strip_str(&line).to_string()) } } }
                    }
                }
                h3 { "Source" }
                (source::listings(self.index, self.program, &self.findings, self.sources))
            }
        }
    }

    /// What the verdict rests on, and why it is no better.
    fn reservations(&self) -> Markup {
        let verdict = &self.program.verdict;
        let lists = [
            ("Assumptions", &verdict.assumptions[..]),
            ("Reasons", &verdict.reasons[..]),
            ("Lengths not proved", verdict.lengths.reasons()),
        ];
        html! {
            @for (title, items) in lists.into_iter().filter(|(_, items)| !items.is_empty()) {
                details open[items.len() <= 4] {
                    summary { (title) }
                    ul { @for item in items { li { (clean(item)) } } }
                }
            }
        }
    }

    fn channel(&self, index: usize, channel: &Channel) -> Markup {
        let entry = &self.program.entry;
        let before = &self.program.topology.channels[..index];
        let sites = [&channel.send, &channel.recv];
        let about = |finding: &&&Finding| {
            let mut places = std::iter::once(&finding.range).chain(finding.related.iter().map(|r| &r.range));
            places.any(|range| sites.iter().any(|site| same_line(site, &range.file, range.line)))
        };
        html! {
            article.channel id={ "p" (self.index) "-c" (index + 1) } tabindex="-1" {
                h4 {
                    "Channel " (index + 1) ": "
                    code { (clean(&channel.send.operation)) } " " bdi { (place(&channel.send.range, entry)) } " \u{2192} "
                    code { (clean(&channel.recv.operation)) } " " bdi { (place(&channel.recv.range, entry)) }
                }
                p { (sending(channel)) ". " (receiving(channel)) ". " (sentence_case(&particulars(channel))) "." }
                p.formula { code { (formula(channel)) } }
                @for found in self.findings.iter().filter(about) { (finding::short(found)) }
                @match before.iter().position(|other| ends(other) == ends(channel)) {
                    Some(first) => {
                        p.caption {
                            "The same lines as "
                            a href={ "#p" (self.index) "-c" (first + 1) } { "channel " (first + 1) } "."
                        }
                    }
                    None => {
                        div.sides id=(self.sides_id(ends(channel))) {
                            (source::sides(self.sources, ends(channel).0, ends(channel).1))
                        }
                    }
                }
            }
        }
    }

    /// Where the page has both sides of messages between these calls.
    pub(super) fn sides_id(&self, (send, recv): (Place<'_>, Place<'_>)) -> String {
        format!("p{}-l{}-{}", self.index, self.number_of(send), self.number_of(recv))
    }

    /// The number of a call among those that the page knows.
    pub(super) fn number_of(&self, place: Place<'_>) -> usize {
        self.places.binary_search(&place).unwrap_or_else(|_| unreachable!("all calls are there"))
    }

    fn collectives(&self) -> Markup {
        let topology = &self.program.topology;
        html! {
            @if !topology.collectives.is_empty() {
                h3 { "Collectives" }
                ol { @for collective in &topology.collectives {
                    li {
                        code { (clean(&collective.operation)) } " "
                        @for (index, site) in collective.sites.iter().enumerate() {
                            @if 0 < index { ", " }
                            bdi { (place(&site.range, &self.program.entry)) }
                        }
                        ": " (collective_particulars(collective))
                    }
                } }
            }
        }
    }
}

/// What a verdict claims, for readers who see their first one.
fn meaning(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Exact => {
            "For each of these numbers of processes, and every input that the assumptions allow, the messages are exactly \
             those shown."
        }
        VerdictKind::Bounded => {
            "These numbers of processes were explored one by one, each completely; nothing is said of others."
        }
        VerdictKind::Unknown => {
            "Who sends to whom is not known. What is shown here was found on the way, and there may be more."
        }
    }
}

/// Where both calls are, as far as lines tell them apart.
pub(super) fn ends(channel: &Channel) -> (Place<'_>, Place<'_>) {
    let (send, recv) = (&channel.send.range, &channel.recv.range);
    ((&send.file, send.line), (&recv.file, recv.line))
}

/// Where both calls of a message are.
pub(super) fn ends_of(message: &Message) -> (Place<'_>, Place<'_>) {
    ((&message.send_file, message.send_line), (&message.recv_file, message.recv_line))
}

/// The calls of all messages that a page shows of a program, sorted.
pub(super) fn places<'a>(program: &'a ProgramReport, instances: &[&'a Instance]) -> Vec<Place<'a>> {
    let channels = program.topology.channels.iter().map(ends);
    let messages = instances.iter().flat_map(|instance| &instance.messages).map(ends_of);
    let places: BTreeSet<Place<'a>> =
        channels.chain(messages).flat_map(|(send, recv)| [send, recv]).collect();
    places.into_iter().collect()
}

fn same_line(site: &Site, file: &str, line: u32) -> bool {
    site.range.file == file && site.range.line == line
}

/// `{ rank → (rank + 1) % np : rank ∈ [0..np-1] }`.
fn formula(channel: &Channel) -> String {
    let (set, condition) = match channel.senders.split_once(" for ") {
        Some((set, condition)) => (set, format!(", {condition}")),
        None => (channel.senders.as_str(), String::new()),
    };
    clean(&format!("{{ rank \u{2192} {} : rank \u{2208} {set}{condition} }}", channel.partner))
}

fn sentence_case(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
