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

/// What a call in one line sends beside what a call in another receives; once where both are one call.
pub(super) fn sides(sources: &Sources, send: (&str, u32), recv: (&str, u32)) -> Markup {
    html! {
        @if send == recv {
            (excerpt(sources, send, "sends and receives"))
        } @else {
            (excerpt(sources, send, "sends"))
            (excerpt(sources, recv, "receives"))
        }
    }
}

/// A few lines around one, moved to the left together.
fn excerpt(sources: &Sources, (file, line): (&str, u32), caption: &str) -> Markup {
    let lines = (line.saturating_sub(AROUND).max(1)..=line.saturating_add(AROUND))
        .filter_map(|number| Some((number, text(sources, file, number)?)));
    let lines: Vec<(u32, String)> = lines.collect();
    let indent = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let filled = lines.iter().filter(|(_, text)| !text.trim().is_empty());
    let common = filled.map(|(_, text)| indent(text)).min().unwrap_or(0);
    html! {
        figure.excerpt {
            figcaption { (caption) " " code { (clean(file)) ":" (line) } }
            @if lines.iter().any(|(number, _)| *number == line) {
                pre {
                    @for (number, text) in &lines {
                        span.line.marked[*number == line] {
                            span.no { (number) } (text.get(common..).unwrap_or_default())
                        }
                    }
                }
            } @else {
                p { "The source is not at hand." }
            }
        }
    }
}

/// The text of a line without its end; tabs are spaces, and nothing else that controls is left.
fn text(sources: &Sources, file: &str, line: u32) -> Option<String> {
    let excerpt = sources.lines(file, line, line)?;
    let text = excerpt.text.trim_end_matches(['\n', '\r']).replace('\t', "    ");
    let shown: String = clean(&text).chars().take(LONGEST).collect();
    Some(if shown.len() < text.len() { format!("{shown} \u{2026}") } else { shown })
}

/// The files of a program, the entry's first.
fn files<'a>(program: &'a ProgramReport, findings: &[&'a Finding]) -> Vec<&'a str> {
    let mut files: Vec<&str> = vec![&program.entry];
    let named = sites(program).map(|site| &site.range.file);
    for file in named.chain(findings.iter().map(|finding| &finding.range.file)) {
        if !files.contains(&file.as_str()) {
            files.push(file);
        }
    }
    files
}

/// The files of a program, each line that communicates marked, each finding below its line.
pub(super) fn listings(
    index: usize,
    program: &ProgramReport,
    findings: &[&Finding],
    sources: &Sources,
) -> Markup {
    html! {
        @for file in files(program, findings) {
            (listing(index, file, program, findings, sources))
        }
    }
}

/// What the element of a line is called: a link leads there, and the script opens the listing that it is in.
pub(super) fn line_id(index: usize, program: &ProgramReport, file: &str, line: u32) -> String {
    // Findings are shown with programs that communicate in their files, so this finds one.
    let number = files(program, &[]).iter().position(|known| *known == file).unwrap_or_default();
    format!("p{index}-f{number}-{line}")
}

fn listing(
    index: usize,
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
    let is_target = |number: u32| here.iter().any(|finding| finding.range.line == number);
    let at = |number: u32| is_target(number).then(|| line_id(index, program, file, number));
    html! {
        details open[!here.is_empty()] {
            summary {
                code { (clean(file)) }
                @if !here.is_empty() { " " span.badge { (crate::text::plural(here.len(), "finding")) } }
            }
            @if lines.is_empty() { p { "The source is not at hand." } }
            div.listing tabindex="0" role="group" aria-label={ "Source " (clean(file)) } {
                @for (position, (number, text)) in lines.iter().enumerate() {
                    @if 0 < position && lines[position - 1].0 + 1 < *number { div.gap { "\u{22ee}" } }
                    div.line.marked[marked.contains(number)] id=[at(*number)] { span.no { (number) } code { (text) } }
                    @for found in here.iter().filter(|finding| finding.range.line == *number) {
                        (finding::whole(found))
                    }
                }
            }
        }
    }
}
