//! Findings as boxes; severity is said in words, not by colour alone.

use maud::{Markup, html};

use analyzer::results::{Finding, ProgramReport, Severity};

use super::source;
use crate::json;
use crate::text::{clean, place, scope};

/// With its place, as a link into the source.
pub(super) fn linked(finding: &Finding, index: usize, program: &ProgramReport) -> Markup {
    let target = source::line_id(index, program, &finding.range.file, finding.range.line);
    let place = place(&finding.range, &program.entry);
    html! {
        div class={ "finding " (json::severity(finding.severity)) } {
            (sentence(finding, html! { a href={ "#" (target) } { bdi { (place) } } ": " }))
        }
    }
}

/// With everything that belongs to it, for below its line.
pub(super) fn whole(finding: &Finding) -> Markup {
    html! {
        div class={ "finding " (json::severity(finding.severity)) } {
            (sentence(finding, html! {}))
            @if !finding.related.is_empty() {
                ul { @for related in &finding.related {
                    li { bdi { (clean(&related.range.file)) } " line " (related.range.line) ": " (clean(&related.message)) }
                } }
            }
        }
    }
}

/// Where it has been told already.
pub(super) fn short(finding: &Finding) -> Markup {
    html! {
        div class={ "finding " (json::severity(finding.severity)) } { (sentence(finding, html! {})) }
    }
}

fn sentence(finding: &Finding, place: Markup) -> Markup {
    let mark = match finding.severity {
        Severity::Error => "\u{2716}",
        Severity::Warning => "\u{26a0}",
        Severity::Note => "\u{2139}",
    };
    html! {
        p {
            span aria-hidden="true" { (mark) " " }
            strong { (json::severity(finding.severity)) " " (finding.rule.id()) } ": " (place) (clean(&finding.message))
            @if let Some(scope) = scope(finding) { " (" (scope) ")" }
        }
    }
}
