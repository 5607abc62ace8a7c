//! Everything one run of the command found out.

use std::cmp::Ordering;

use analyzer::results::{Finding, ProgramReport, Severity, SourceRange, Suggestion, VerdictKind};

/// An input, or a part of one, that could not be taken in. The rest was analysed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputError {
    /// The file, as the user named it.
    pub file: String,
    /// One line: what is wrong; starts with `line N: ` where there is a place.
    pub message: String,
    /// Whether nothing at all could be done with this input (it does not exist, it is not text, the analysis broke
    /// down). An error that costs one function only is not fatal.
    pub fatal: bool,
}

/// Everything one run of the command found out.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Findings of all programs and units.
    pub findings: Vec<Finding>,
    /// What was found out about each entry point. Their own findings are among [`Outcome::findings`].
    pub programs: Vec<ProgramReport>,
    /// What could not be taken in.
    pub errors: Vec<InputError>,
    /// What could be written instead. Each is a note among [`Outcome::findings`], too; whether its edit is right has to be tried.
    pub suggestions: Vec<Suggestion>,
}

/// How many of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Findings of severity error.
    pub errors: usize,
    /// Findings of severity warning.
    pub warnings: usize,
    /// Findings of severity note.
    pub notes: usize,
    /// Programs with an exact verdict.
    pub exact: usize,
    /// Programs explored for some numbers of processes only.
    pub bounded: usize,
    /// Programs without an answer.
    pub unknown: usize,
}

impl Outcome {
    /// Brings everything into the order in which it is printed, and drops what was found twice (a function shared by
    /// two programs has its findings once). Rendering expects an outcome in this order.
    pub fn sort(&mut self) {
        self.findings.sort_by(compare_findings);
        self.findings.dedup();
        self.programs.sort_by(|a, b| a.entry.cmp(&b.entry));
        self.errors.sort();
        self.errors.dedup();
        self.suggestions.sort_by(|a, b| (&a.range, a.rule).cmp(&(&b.range, b.rule)));
        self.suggestions.dedup_by(|later, first| {
            let same = (&later.range, later.rule) == (&first.range, first.rule);
            // What is not known of one program is not known of the file.
            if same && first.edit.is_ok() && later.edit.is_err() {
                first.edit = later.edit.clone();
            }
            same
        });
    }

    /// Counts.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        for finding in &self.findings {
            match finding.severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Note => summary.notes += 1,
            }
        }
        for program in &self.programs {
            match program.verdict.kind {
                VerdictKind::Exact => summary.exact += 1,
                VerdictKind::Bounded => summary.bounded += 1,
                VerdictKind::Unknown => summary.unknown += 1,
            }
        }
        summary
    }
}

/// By place, then the gravest first, then by rule and text, so that no tie is left to the order of discovery.
fn compare_findings(a: &Finding, b: &Finding) -> Ordering {
    a.range
        .cmp(&b.range)
        .then_with(|| b.severity.cmp(&a.severity))
        .then_with(|| a.rule.id().cmp(b.rule.id()))
        .then_with(|| a.message.cmp(&b.message))
        .then_with(|| a.np.cmp(&b.np))
        .then_with(|| a.ranks.cmp(&b.ranks))
        .then_with(|| related_places(a).cmp(related_places(b)))
}

fn related_places(finding: &Finding) -> impl Iterator<Item = (&SourceRange, &str)> {
    finding.related.iter().map(|related| (&related.range, related.message.as_str()))
}
