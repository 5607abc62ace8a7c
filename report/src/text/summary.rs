//! What stands below the findings: verdicts, errors, counts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analyzer::results::{Lengths, ProgramReport, Severity, Verdict, VerdictKind};

use super::{BOLD, DIM, RED, clean, plural, styled};
use crate::outcome::{InputError, Outcome};

/// How much a text report says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Findings and errors only (`-q`).
    Quiet,
    /// One sentence per program as well, unless there are very many.
    #[default]
    Normal,
    /// Every program with all its assumptions and reasons (`-v`).
    Verbose,
}

/// Above this number of programs, only their verdicts are counted.
const MANY_PROGRAMS: usize = 20;

/// How far the answer for a program goes, in one sentence without its full stop.
#[must_use]
pub fn verdict_sentence(verdict: &Verdict) -> String {
    let np = clean(&verdict.np);
    let mut sentence = match verdict.kind {
        VerdictKind::Exact => format!("exact for {}", np_phrase(&np)),
        VerdictKind::Bounded => format!("explored exactly for {} only", np_phrase(&np)),
        VerdictKind::Unknown => "not decided".to_owned(),
    };
    match (verdict.kind, verdict.assumptions.as_slice(), verdict.reasons.as_slice()) {
        (VerdictKind::Exact, [], _) => {}
        (VerdictKind::Exact, [one], _) => {
            let _ = write!(sentence, ", assuming {}", clean(one));
        }
        (VerdictKind::Exact, [_, _, ..], _) => {
            let _ = write!(sentence, ", under {}", plural(verdict.assumptions.len(), "assumption"));
        }
        (_, _, [first, more @ ..]) => {
            let _ = write!(sentence, ": {}", clean(first));
            if !more.is_empty() {
                let _ = write!(sentence, " (and {})", plural(more.len(), "more reason"));
            }
        }
        (_, _, []) => {}
    }
    // Of what is not decided nothing is proved at all.
    if let (Lengths::NotProved(reasons), VerdictKind::Exact | VerdictKind::Bounded) =
        (&verdict.lengths, verdict.kind)
    {
        sentence.push_str("; lengths: not proved");
        if let [first, more @ ..] = &reasons[..] {
            let _ = write!(sentence, ", {}", clean(first));
            if !more.is_empty() {
                let _ = write!(sentence, " (and {})", plural(more.len(), "more place"));
            }
        }
    }
    sentence
}

/// `np = 2..5` for a bare list of numbers; a sentence such as `any np >= 1` stays as it is.
fn np_phrase(np: &str) -> String {
    if np.starts_with(|c: char| c.is_ascii_digit()) { format!("np = {np}") } else { np.to_owned() }
}

/// How many findings edits have made go away, as one line.
#[must_use]
pub fn fixed(findings: usize, files: usize) -> String {
    match findings {
        0 => "nothing fixed\n".to_owned(),
        _ => format!("{} fixed in {}\n", plural(findings, "finding"), plural(files, "file")),
    }
}

/// An input that could not be taken in, as one line.
#[must_use]
pub fn error(error: &InputError) -> String {
    let (style, word) = if error.fatal { (RED, "error") } else { (BOLD, "warning") };
    format!("{}: {}: {}\n", styled(style, word), clean(&error.file), clean(&error.message))
}

/// What stands below the findings of `anyrank lint`.
#[must_use]
pub fn lint_summary(outcome: &Outcome, detail: Detail) -> String {
    let mut text = String::new();
    if detail == Detail::Quiet {
        return text;
    }
    let summary = outcome.summary();
    let few = outcome.programs.len() <= MANY_PROGRAMS;
    if few || detail == Detail::Verbose {
        for program in &outcome.programs {
            let _ = writeln!(
                text,
                "{}: {}",
                styled(BOLD, &clean(&program.entry)),
                verdict_sentence(&program.verdict)
            );
            if detail == Detail::Verbose {
                text.push_str(&particulars(program));
            }
        }
    } else {
        let _ = writeln!(
            text,
            "{}: {} exact, {} bounded, {} not decided (-v lists them)",
            plural(outcome.programs.len(), "program"),
            summary.exact,
            summary.bounded,
            summary.unknown
        );
    }
    let counts = [(summary.errors, "error"), (summary.warnings, "warning"), (summary.notes, "note")];
    let found: Vec<_> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    if found.is_empty() {
        // Silence about what could not be analysed is no praise.
        if outcome.errors.iter().all(|error| !error.fatal) {
            text.push_str("no findings\n");
        }
    } else {
        let _ = writeln!(text, "found {}", found.join(", "));
    }
    text
}

/// All assumptions and reasons of a program, and the time it took.
fn particulars(program: &ProgramReport) -> String {
    let mut text = String::new();
    for assumption in &program.verdict.assumptions {
        let _ = writeln!(text, "  assumed: {}", clean(assumption));
    }
    for reason in &program.verdict.reasons {
        let _ = writeln!(text, "  because: {}", clean(reason));
    }
    for reason in program.verdict.lengths.reasons() {
        let _ = writeln!(text, "  lengths not proved: {}", clean(reason));
    }
    let _ = writeln!(text, "  {}", styled(DIM, &format!("{:.3} s", program.seconds)));
    text
}

/// Findings counted by rule, the most frequent first (`--statistics`).
#[must_use]
pub fn statistics(outcome: &Outcome) -> String {
    let mut counts: BTreeMap<&str, (usize, Severity)> = BTreeMap::new();
    for finding in &outcome.findings {
        let entry = counts.entry(finding.rule.id()).or_insert((0, finding.severity));
        entry.0 += 1;
        entry.1 = entry.1.max(finding.severity);
    }
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.0.cmp(b.0)));
    let width = rows.first().map_or(1, |(_, (count, _))| count.to_string().len());
    let mut text = String::new();
    for (rule, (count, severity)) in rows {
        let _ = writeln!(text, "{count:>width$}  {:7}  {rule}", crate::json::severity(severity));
    }
    text
}
