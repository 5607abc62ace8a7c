//! `//~ MUST rule: fragment` and `//@ label` comments.

use analyzer::results::{Finding, Severity};

/// What a mark says about its finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// Not to report it is a bug.
    Must,
    /// Not to report it is a bug; it is a note, and the program is right.
    Note,
    /// It may be reported.
    May,
    /// It is reported although the program is right.
    Imprecise,
}

/// Rules of the design that are not built yet. Programs that break them are marked all the same: a `MUST` fails until its
/// rule is there, and then the rule has to leave this list.
const PLANNED: [&str; 0] = [];

/// A finding that a program expects.
#[derive(Debug, Clone)]
pub struct Mark {
    /// How serious it is.
    pub kind: MarkKind,
    /// The file, as anyrank is given it.
    pub file: String,
    /// The line of the finding.
    pub line: u32,
    /// The rule's id.
    pub rule: String,
    /// A piece of the message; may be empty.
    pub fragment: String,
}

impl Mark {
    fn covers(&self, finding: &Finding) -> bool {
        self.file == finding.range.file
            && self.line == finding.range.line
            && self.rule == finding.rule.id()
            && finding.message.contains(&self.fragment)
            && (self.kind == MarkKind::Note) <= (finding.severity == Severity::Note)
    }
}

/// The marks of a file.
pub fn marks(file: &str, text: &str) -> Result<Vec<Mark>, String> {
    let mut marks = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for comment in line.split("//~").skip(1) {
            marks.push(mark(file, number, comment).map_err(|error| format!("{file}:{number}: {error}"))?);
        }
    }
    Ok(marks)
}

fn mark(file: &str, number: u32, comment: &str) -> Result<Mark, String> {
    let words = comment.trim_start_matches('^');
    let up = u32::try_from(comment.len() - words.len()).map_err(|error| error.to_string())?;
    let line = number.checked_sub(up).filter(|&line| line > 0).ok_or("the mark points above the file")?;
    let (word, rest) = words.trim().split_once(' ').ok_or("a mark reads `//~ MUST rule: fragment`")?;
    let kind = match word {
        "MUST" => MarkKind::Must,
        "NOTE" => MarkKind::Note,
        "MAY" => MarkKind::May,
        "IMPRECISE" => MarkKind::Imprecise,
        other => return Err(format!("`{other}` is none of MUST, NOTE, MAY, IMPRECISE")),
    };
    let (rule, fragment) = rest.split_once(':').unwrap_or((rest, ""));
    let rule = rule.trim().to_owned();
    match (anyrank::selection::rule_named(&rule), PLANNED.contains(&rule.as_str())) {
        (Ok(_), true) => {
            return Err(format!("`{rule}` is built now: take it off PLANNED in tests/harness/marks.rs"));
        }
        (Err(error), false) => return Err(error.to_string()),
        _ => {}
    }
    Ok(Mark { kind, file: file.to_owned(), line, rule, fragment: fragment.trim().to_owned() })
}

/// The labels of a file, by line.
pub fn labels(text: &str) -> Vec<(u32, String)> {
    (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| {
            let (_, label) = line.split_once("//@")?;
            Some((number, label.split("//").next().unwrap_or_default().trim().to_owned()))
        })
        .collect()
}

/// What is missing and what is extra, one line each. Every finding needs a mark, every mark but `MAY` a finding;
/// one mark may cover several findings of its line.
pub fn compare(marks: &[Mark], findings: &[Finding]) -> Vec<String> {
    let mut differences = Vec::new();
    for finding in findings.iter().filter(|finding| !marks.iter().any(|mark| mark.covers(finding))) {
        differences.push(format!(
            "extra    {}:{}: {}[{}]: {} ({}{}{})",
            finding.range.file,
            finding.range.line,
            report::json::severity(finding.severity),
            finding.rule.id(),
            finding.message,
            finding.np,
            if finding.ranks.is_empty() { "" } else { ", ranks " },
            finding.ranks,
        ));
    }
    for mark in marks {
        if mark.kind == MarkKind::May || findings.iter().any(|finding| mark.covers(finding)) {
            continue;
        }
        let what = match mark.kind {
            MarkKind::Imprecise => "no longer reported, take the mark away:",
            _ => "missing",
        };
        differences.push(format!("{what}  {}:{}: {}: {}", mark.file, mark.line, mark.rule, mark.fragment));
    }
    differences
}
