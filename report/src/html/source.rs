//! Excerpts of the source, with findings below the lines that they are about.

use std::collections::BTreeSet;

use maud::{Markup, html};

use analyzer::results::{Finding, ProgramReport, Site};

use super::finding;
use crate::sources::Sources;
use crate::text::clean;

/// Lines before and after the one that an excerpt is about.
const AROUND: u32 = 2;

/// A file that is longer is shown around its communication only.
const WHOLE: u32 = 1_200;

/// A line longer than this is generated text.
const LONGEST: usize = 400;

/// All calls that a program's topology names.
pub(super) fn sites(program: &ProgramReport) -> impl Iterator<Item = &Site> {
    let topology = &program.topology;
    let ends = topology.channels.iter().flat_map(|channel| [&channel.send, &channel.recv]);
    ends.chain(topology.collectives.iter().flat_map(|collective| &collective.sites))
}

/// A few lines around one.
pub(super) fn excerpt(sources: &Sources, file: &str, line: u32, caption: &str) -> Markup {
    let lines = (line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND))
        .filter_map(|number| Some((number, text(sources, file, number)?)));
    let lines: Vec<(u32, String)> = lines.collect();
    html! {
        figure.excerpt {
            figcaption { (caption) " " code { (clean(file)) ":" (line) } }
            @if lines.iter().any(|(number, _)| *number == line) {
                pre tabindex="0" aria-label={ (caption) " line " (line) } {
                    @for (number, text) in &lines { (code_line(*number, text, *number == line)) }
                }
            } @else {
                p { "The source is not at hand." }
            }
        }
    }
}

fn code_line(number: u32, text: &str, marked: bool) -> Markup {
    html! {
        span.line.marked[marked] { span.no { (format!("{number:>5} ")) } (text) }
        "\n"
    }
}

/// The text of a line without its end; tabs are spaces, and nothing else that controls is left.
fn text(sources: &Sources, file: &str, line: u32) -> Option<String> {
    let excerpt = sources.lines(file, line, line)?;
    let text = excerpt.text.trim_end_matches(['\n', '\r']).replace('\t', "    ");
    let shown: String = clean(&text).chars().take(LONGEST).collect();
    Some(if shown.len() < text.len() { format!("{shown} \u{2026}") } else { shown })
}

/// The files of a program, each line that communicates marked, each finding below its line.
pub(super) fn listings(
    index: usize,
    program: &ProgramReport,
    findings: &[&Finding],
    sources: &Sources,
) -> Markup {
    let mut files: Vec<&str> = vec![&program.entry];
    let named = sites(program).map(|site| &site.range.file);
    for file in named.chain(findings.iter().map(|finding| &finding.range.file)) {
        if !files.contains(&file.as_str()) {
            files.push(file);
        }
    }
    html! {
        @for (number, file) in files.into_iter().enumerate() {
            (listing(&format!("p{index}-f{number}"), file, program, findings, sources))
        }
    }
}

fn listing(
    id: &str,
    file: &str,
    program: &ProgramReport,
    findings: &[&Finding],
    sources: &Sources,
) -> Markup {
    let here: Vec<&Finding> = findings.iter().copied().filter(|finding| finding.range.file == file).collect();
    let marked: BTreeSet<u32> =
        sites(program).filter(|site| site.range.file == file).map(|site| site.range.line).collect();
    let places = marked.iter().copied().chain(here.iter().map(|finding| finding.range.line));
    let near: BTreeSet<u32> =
        places.flat_map(|line| line.saturating_sub(6).max(1)..=line.saturating_add(6)).collect();
    let is_short = text(sources, file, WHOLE + 1).is_none();
    let all: Vec<u32> = if is_short { (1..=WHOLE).collect() } else { near.into_iter().collect() };
    let lines: Vec<(u32, String)> =
        all.into_iter().filter_map(|line| Some((line, text(sources, file, line)?))).collect();
    html! {
        details id=(id) open[!here.is_empty()] {
            summary {
                code { (clean(file)) }
                @if !here.is_empty() { " " span.badge { (crate::text::plural(here.len(), "finding")) } }
            }
            @if lines.is_empty() { p { "The source is not at hand." } }
            div.listing tabindex="0" role="group" aria-label={ "Source " (clean(file)) } {
                @for (position, (number, text)) in lines.iter().enumerate() {
                    @if 0 < position && lines[position - 1].0 + 1 < *number { div.gap { "\u{22ee}" } }
                    div.line.marked[marked.contains(number)] { span.no { (number) } code { (text) } }
                    @for finding in here.iter().filter(|finding| finding.range.line == *number) {
                        (self::finding(finding))
                    }
                }
            }
        }
    }
}
