//! Annotations of GitHub's workflows: lines that its runners turn into remarks beside the code.

use std::fmt::Write as _;

use analyzer::results::{Finding, Severity};

use crate::outcome::{InputError, Outcome};
use crate::sources::Sources;

/// What `anyrank lint --format github` prints: a line for each finding and error.
#[must_use]
pub fn lint(outcome: &Outcome, sources: &Sources) -> String {
    let mut text = String::new();
    for error in &outcome.errors {
        annotate_error(&mut text, error);
    }
    for finding in &outcome.findings {
        annotate(&mut text, finding, sources);
    }
    text
}

fn annotate(text: &mut String, finding: &Finding, sources: &Sources) {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let range = &finding.range;
    let mut message = format!("{} ({})", finding.message, finding.np);
    for related in &finding.related {
        let _ = write!(message, "\n{}:{}: {}", related.range.file, related.range.line, related.message);
    }
    let _ = write!(
        text,
        "::{level} title={},file={},line={},endLine={}",
        property(&format!("anyrank ({})", finding.rule)),
        property(&range.file),
        range.line,
        range.end_line
    );
    // Columns of several lines are not taken; those of one count characters.
    if range.line == range.end_line {
        let (from, to) = (
            sources.character(&range.file, range.line, range.column),
            sources.character(&range.file, range.line, range.end_column),
        );
        let _ = write!(text, ",col={from},endColumn={to}");
    }
    let _ = writeln!(text, "::{}", data(&message));
}

fn annotate_error(text: &mut String, error: &InputError) {
    let level = if error.fatal { "error" } else { "warning" };
    let _ =
        writeln!(text, "::{level} title=anyrank,file={}::{}", property(&error.file), data(&error.message));
}

/// The text of an annotation.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
