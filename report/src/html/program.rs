//! The section of one program: what holds for any number of processes.

use maud::{Markup, PreEscaped, html};

use analyzer::results::{Channel, Finding, Instance, ProgramReport, Site, VerdictKind};

use super::{finding, source};
use crate::sources::Sources;
use crate::svg;
use crate::text::{
    besides, clean, collective_particulars, particulars, pattern_line, place, receiving, sending,
    verdict_sentence,
};

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
        let lists = [("Assumptions", &verdict.assumptions), ("Reasons", &verdict.reasons)];
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
                    code { (clean(&channel.send.operation)) } " " (place(&channel.send.range, entry)) " \u{2192} "
                    code { (clean(&channel.recv.operation)) } " " (place(&channel.recv.range, entry))
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
                        div.sides id=[self.is_first(index).then(|| self.sides_id(lines(channel)))] {
                            (source::sides(
                                self.sources,
                                (&channel.send.range.file, channel.send.range.line),
                                (&channel.recv.range.file, channel.recv.range.line),
                            ))
                        }
                    }
                }
            }
        }
    }

    /// Whether no channel before this one has the same numbers of lines, in whatever files.
    fn is_first(&self, index: usize) -> bool {
        let channels = &self.program.topology.channels;
        channels[..index].iter().all(|other| lines(other) != lines(&channels[index]))
    }

    /// Where the page has both sides of messages between these lines.
    pub(super) fn sides_id(&self, (send, recv): (u32, u32)) -> String {
        format!("p{}-l{send}-{recv}", self.index)
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
                            (place(&site.range, &self.program.entry))
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

/// The lines of both calls.
pub(super) fn lines(channel: &Channel) -> (u32, u32) {
    (channel.send.range.line, channel.recv.range.line)
}

/// Both calls, as far as lines tell them apart.
fn ends(channel: &Channel) -> (&str, u32, &str, u32) {
    let (send, recv) = (&channel.send.range, &channel.recv.range);
    (&send.file, send.line, &recv.file, recv.line)
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
