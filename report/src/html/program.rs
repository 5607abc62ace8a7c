//! The section of one program.

use std::collections::BTreeSet;

use maud::{Markup, PreEscaped, html};

use analyzer::results::{Channel, Finding, Instance, ProgramReport, Site};

use super::source;
use crate::cells::{cells, total};
use crate::sources::Sources;
use crate::svg::{self, Measure};
use crate::text::{
    clean, collective_particulars, particulars, pattern_line, place, receiving, sending, verdict_sentence,
};

/// A program with what the page shows of it.
pub(super) struct Shown<'a> {
    pub(super) index: usize,
    pub(super) program: &'a ProgramReport,
    pub(super) findings: Vec<&'a Finding>,
    /// By number of processes, ascending.
    pub(super) instances: Vec<&'a Instance>,
    pub(super) wanted: &'a [u64],
    pub(super) sources: &'a Sources,
}

/// The number of processes that is shown first: the pattern is seen, and each rank has a number.
const FIRST: u64 = 8;

impl Shown<'_> {
    pub(super) fn section(&self) -> Markup {
        let topology = &self.program.topology;
        let id = format!("p{}", self.index);
        html! {
            section.program id=(id) data-program=(self.index) aria-labelledby={ (id) "-title" } {
                h2 id={ (id) "-title" } { code { (clean(&self.program.entry)) } }
                p.verdict { (sentence_case(&verdict_sentence(&self.program.verdict))) "." }
                (self.reservations())
                @if !self.findings.is_empty() {
                    h3 { "Findings" }
                    @for finding in &self.findings {
                        (super::finding(finding))
                    }
                }
                h3 { "Channels" }
                @if topology.channels.is_empty() { p { "No point-to-point messages." } }
                @if let Some(picture) = svg::sets(self.program, &format!("p{}-c", self.index)) {
                    div.wide tabindex="0" role="group" aria-label="Process sets and channels" {
                        (PreEscaped(picture.node.to_string()))
                    }
                    p.caption {
                        "Process sets from left to right, lines of the source from top to bottom; each arrow is a channel, "
                        "from the call that sends to the call that receives."
                    }
                }
                @for (index, channel) in topology.channels.iter().enumerate() { (self.channel(index, channel)) }
                @if !topology.patterns.is_empty() {
                    h3 { "Patterns" }
                    ul { @for pattern in &topology.patterns { li { (pattern_line(pattern)) } } }
                }
                (self.collectives())
                (self.at_np())
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
        let is_first = self.program.topology.channels[..index].iter().all(|c| lines(c) != lines(channel));
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
                @for finding in self.findings.iter().filter(about) {
                    p.pointer { strong { (crate::json::severity(finding.severity)) " " (finding.rule.id()) } ": " (clean(&finding.message)) }
                }
                div.sides id=[is_first.then(|| self.sides_id(lines(channel)))] {
                    (source::excerpt(self.sources, &channel.send.range.file, channel.send.range.line, "sends"))
                    (source::excerpt(self.sources, &channel.recv.range.file, channel.recv.range.line, "receives"))
                }
            }
        }
    }

    fn sides_id(&self, (send, recv): (u32, u32)) -> String {
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

    /// The slider and what it chooses.
    fn at_np(&self) -> Markup {
        let first = self.instances.iter().rposition(|instance| instance.np <= FIRST).unwrap_or(0);
        let Some(shown) = self.instances.get(first) else {
            return html! {
                h3 { "At one number of processes" }
                p { (self.availability()) }
            };
        };
        let id = format!("p{}", self.index);
        html! {
            h3 { "At one number of processes" }
            div.controls {
                label for={ (id) "-np" } { "Processes: " }
                input.np type="range" id={ (id) "-np" } min="0" max=(self.instances.len() - 1) value=(first) step="1"
                    aria-valuetext={ "np = " (shown.np) } list={ (id) "-nps" };
                datalist id={ (id) "-nps" } {
                    @for (index, instance) in self.instances.iter().enumerate() {
                        option value=(index) label=(instance.np) {}
                    }
                }
                output for={ (id) "-np" } { "np = " (shown.np) }
                fieldset {
                    legend { "Shade by" }
                    label { input type="radio" name={ (id) "-measure" } value="messages" checked; " messages" }
                    label { input type="radio" name={ (id) "-measure" } value="bytes"; " bytes" }
                }
            }
            p.caption { (self.availability()) }
            div.instance aria-live="polite" { (pictures(shown)) }
            form.pick {
                label { "From rank " input.from type="number" min="0" max=(shown.np.saturating_sub(1)) value="0"; }
                label { "to rank " input.to type="number" min="0" max=(shown.np.saturating_sub(1)) value="0"; }
                button type="submit" { "Show messages" }
                span.caption { " or click a cell or an arrow; in the matrix, arrow keys move and Enter shows." }
            }
            div.detail role="status" {}
            @for instance in &self.instances { template data-np=(instance.np) { (pictures(instance)) } }
            div hidden {
                @for (send, recv) in self.other_lines() {
                    div id=(self.sides_id((send, recv))) {
                        (source::excerpt(self.sources, self.file_of(send), send, "sends"))
                        (source::excerpt(self.sources, self.file_of(recv), recv, "receives"))
                    }
                }
            }
        }
    }

    /// Which numbers of processes there are, and why not others.
    fn availability(&self) -> String {
        let list = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let here: Vec<u64> = self.instances.iter().map(|instance| instance.np).collect();
        let missing: Vec<u64> = self.wanted.iter().copied().filter(|np| !here.contains(np)).collect();
        let mut text = if here.is_empty() {
            "There are no messages to show.".to_owned()
        } else {
            format!(
                "The analysis was asked for the messages at np = {} when this page was written; --np asks for others.",
                list(&here)
            )
        };
        if !missing.is_empty() {
            text.push_str(&format!(
                " Nothing to show at np = {}: the answer does not hold there, who communicates depends on input, \
                 the time limit was reached, or there are too many messages for a page.",
                list(&missing)
            ));
        }
        text
    }

    /// Lines of messages that no channel has (where channels are those of another number of processes).
    fn other_lines(&self) -> BTreeSet<(u32, u32)> {
        let known: BTreeSet<(u32, u32)> = self.program.topology.channels.iter().map(lines).collect();
        let messages = self.instances.iter().flat_map(|instance| &instance.messages);
        messages.map(|m| (m.send_line, m.recv_line)).filter(|lines| !known.contains(lines)).collect()
    }

    /// The file that a call in this line is in, as far as channels tell.
    fn file_of(&self, line: u32) -> &str {
        let site = source::sites(self.program).find(|site| site.range.line == line);
        site.map_or(self.program.entry.as_str(), |site| site.range.file.as_str())
    }
}

fn lines(channel: &Channel) -> (u32, u32) {
    (channel.send.range.line, channel.recv.range.line)
}

fn same_line(site: &Site, file: &str, line: u32) -> bool {
    site.range.file == file && site.range.line == line
}

/// Everything that depends on the number of processes.
fn pictures(instance: &Instance) -> Markup {
    let total = total(&cells(instance));
    let drawn = |picture: Option<svg::Picture>| picture.map(|picture| PreEscaped(picture.node.to_string()));
    html! {
        p {
            "At np = " (instance.np) ": " (total.messages.phrase("message")) ", "
            (total.bytes.phrase("byte")) "."
        }
        div.pair {
            @for measure in [Measure::Messages, Measure::Bytes] {
                div.matrix data-measure={ (measure.noun()) "s" } {
                    @match drawn(svg::matrix(instance, measure)) {
                        Some(picture) => {
                            div.board tabindex="0" role="group"
                                aria-label={ "Matrix of " (measure.noun()) "s; arrow keys move from cell to cell" } { (picture) }
                        }
                        None => { p { "The matrix has too many different cells to be drawn." } }
                    }
                }
            }
            div.ranks {
                @match drawn(svg::ranks(instance)) {
                    Some(picture) => { (picture) }
                    None => {
                        @if !instance.messages.is_empty() {
                            p { "There are too many arrows to be told apart; the matrix has them all." }
                        }
                    }
                }
            }
        }
        @if let Some(picture) = drawn(svg::timeline(instance)) {
            h4 { "Collectives at np = " (instance.np) }
            div.wide tabindex="0" role="group" aria-label="Collectives in order" { (picture) }
        }
    }
}

/// `{ rank → (rank + 1) % np : rank in [0..np-1] }`.
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
