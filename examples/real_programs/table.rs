//! The document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::child::Death;
use crate::judgements::{Judgement, Judgements};
use crate::packages::Package;
use crate::reasons::{self, Count};
use crate::survey::{Entry, Fate, Report};

/// So many rows of a package are shown; the rest is counted.
const MOST_ROWS: usize = 100;

/// So many kinds of reasons are shown.
const MOST_REASONS: usize = 25;

/// So many of the most frequent reasons are explained, where there is something to say.
const EXPLAINED: usize = 5;

/// A reason is cut after so many characters.
const REASON_LENGTH: usize = 160;

/// An entry point that needs more is listed by name.
const MUCH_MEMORY: u64 = 2 << 30;

/// A package and what is known about it.
type Surveyed<'a> = (&'static Package, &'a Report);

/// Seconds for what comes after the last look at the clock.
const OVERTIME: f64 = 2.0;

/// The whole document.
pub(crate) fn document(reports: &[Surveyed]) -> String {
    let mut text = String::from(
        "# Real programs\n\n\
        What anyrank says about the source packages of Debian that `scripts/fetch-sources` unpacks, each as it is: nothing is configured or built.\n\
        `make real-programs` writes this page; `examples/real_programs/packages.rs` says how each package is read.\n\
        One process of `anyrank lint` analyses a package, within the time per entry point that the table names.\n\n\
        An entry point is a `main` with everything that it calls as far as there is source.\n\
        Functions without source are assumed not to communicate.\n\
        Times are those of the analysis, without reading the sources, and vary from run to run.\n",
    );
    let _ = writeln!(text, "\n## In short\n");
    totals(reports, &mut text);
    states(reports, &mut text);
    let _ = writeln!(text, "\n## Why an answer is not exact\n");
    why(reports, &mut text);
    let _ = writeln!(text, "\n## Findings\n");
    findings(reports, &mut text);
    let _ = writeln!(text, "\n## What went wrong\n");
    wrong(reports, &mut text);
    let _ = writeln!(text, "\n## Package by package");
    for (package, report) in reports {
        rows_of(package, report, &mut text);
    }
    text
}

/// Which packages were analysed by another anyrank than most: what is kept of them is older.
fn states(reports: &[Surveyed], text: &mut String) {
    let mut by_state: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (package, report) in reports.iter().filter(|(_, report)| report.failure.is_none()) {
        by_state.entry(&report.state).or_default().push(package.name);
    }
    let most = by_state.iter().max_by_key(|(_, names)| names.len()).map(|(&state, _)| state);
    let others: Vec<&str> = by_state
        .iter()
        .filter(|&(&state, _)| Some(state) != most)
        .flat_map(|(_, names)| names.clone())
        .collect();
    let _ = match others[..] {
        [] => writeln!(text, "One state of anyrank answered for all packages."),
        _ => {
            writeln!(text, "Another state of anyrank than for the others answered for {}.", others.join(", "))
        }
    };
}

/// Verdicts of some entry points.
#[derive(Default)]
struct Tally {
    entries: usize,
    exact: usize,
    silent: usize,
    bounded: usize,
    unknown: usize,
    died: usize,
    findings: [usize; 3],
    lost_functions: usize,
    longest: f64,
}

impl Tally {
    fn of(report: &Report) -> Self {
        let count =
            |wanted: &dyn Fn(&Entry) -> bool| report.entries.iter().filter(|entry| wanted(entry)).count();
        Self {
            entries: report.entries.len(),
            exact: count(&|entry| entry.fate == Fate::Exact),
            silent: count(&Entry::is_silent),
            bounded: count(&|entry| entry.fate == Fate::Bounded),
            unknown: count(&|entry| entry.fate == Fate::Unknown),
            died: count(&|entry| matches!(entry.fate, Fate::Panic | Fate::Died(_))),
            findings: report.findings,
            lost_functions: report.lost_functions,
            longest: report.entries.iter().map(|entry| entry.seconds).fold(0.0, f64::max),
        }
    }

    fn add(&mut self, other: &Self) {
        self.entries += other.entries;
        self.exact += other.exact;
        self.silent += other.silent;
        self.bounded += other.bounded;
        self.unknown += other.unknown;
        self.died += other.died;
        self.lost_functions += other.lost_functions;
        self.longest = self.longest.max(other.longest);
        for (mine, other) in self.findings.iter_mut().zip(other.findings) {
            *mine += other;
        }
    }

    fn row(&self, name: &str, limit: &str, memory: &str) -> String {
        let Self { entries, exact, silent, bounded, unknown, died, lost_functions, longest, .. } = self;
        let [errors, warnings, _] = self.findings;
        let decided = match *entries {
            0 => String::new(),
            entries => format!("{} %", 100 * (exact + bounded) / entries),
        };
        format!(
            "| {name} | {entries} | {exact} | {silent} | {bounded} | {unknown} | {died} | {decided} | {errors} | {warnings} | {lost_functions} | {limit} | {longest:.1} s | {memory} |"
        )
    }
}

impl Entry {
    /// Nothing is communicated, for certain.
    fn is_silent(&self) -> bool {
        self.fate == Fate::Exact && self.operations == Some(0)
    }

    fn verdict(&self) -> &'static str {
        match self.fate {
            Fate::Exact if self.is_silent() => "exact: no communication",
            Fate::Exact => "exact",
            Fate::Bounded => "bounded",
            Fate::Unknown => "not decided",
            Fate::Panic => "panic",
            Fate::Died(Death::Time) => "out of time",
            Fate::Died(Death::Memory) => "out of memory",
            Fate::Died(Death::Stack) => "out of stack",
            Fate::Died(Death::Other(_)) => "died",
        }
    }
}

fn totals(reports: &[Surveyed], text: &mut String) {
    let _ = writeln!(
        text,
        "| package | entry points | exact | of these silent | bounded | not decided | died | exact or bounded | errors found | warnings found | functions lost | limit | longest | memory |\n\
        |---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut all = Tally::default();
    for (package, report) in reports {
        let name = match &report.version {
            Some(version) => format!("{} {version}", package.name),
            None => package.name.to_owned(),
        };
        match &report.failure {
            Some(failure) => {
                let _ =
                    writeln!(text, "| {name} | {} | | | | | | | | | | | | |", cell(failure, REASON_LENGTH));
            }
            None => {
                let tally = Tally::of(report);
                let _ = writeln!(
                    text,
                    "{}",
                    tally.row(&name, &format!("{} s", report.time_limit), &memory(report.peak))
                );
                all.add(&tally);
            }
        }
    }
    let _ = writeln!(text, "{}", all.row("**all**", "", ""));
    let _ = writeln!(
        text,
        "\nSilent: the answer is exact, and it is that nothing is communicated.\n\
        Functions lost: not analysed for a syntax error, often because a header is missing.\n\
        Memory: of the process that reads and analyses the whole package."
    );
}

/// All findings that are no notes, with what a person found of each.
fn findings(reports: &[Surveyed], text: &mut String) {
    let judgements = Judgements::read();
    let mut tallies: BTreeMap<&str, BTreeMap<Judgement, usize>> = BTreeMap::new();
    let mut rows = String::new();
    for (package, report) in reports {
        for finding in &report.serious {
            let (judgement, reason) = judgements.of(package.name, finding);
            *tallies.entry(&finding.severity).or_default().entry(judgement).or_default() += 1;
            let _ = writeln!(
                rows,
                "| {} {} | {} `{}` | {} | {judgement} | {} |",
                package.name,
                finding.place,
                finding.severity,
                finding.rule,
                cell(&finding.message, usize::MAX),
                cell(reason, usize::MAX)
            );
        }
    }
    let _ = writeln!(
        text,
        "What a person says who has read the code is in `examples/real_programs/judgements.txt`: *true*: the program does what the finding says, and \
         the standard does not allow it; *arguable*: it does, and there may be a reason to leave it so; *false*: it does not.\n"
    );
    let _ = writeln!(
        text,
        "| severity | findings | true | arguable | false | not judged |\n|---|---|---|---|---|---|"
    );
    for (severity, tally) in &tallies {
        let all: usize = tally.values().sum();
        let counts = Judgement::ALL.map(|judgement| {
            let count = tally.get(&judgement).copied().unwrap_or(0);
            format!("{count} ({} %)", (count * 200 + all) / (2 * all))
        });
        let _ = writeln!(text, "| {severity} | {all} | {} |", counts.join(" | "));
    }
    let _ = write!(text, "\n| where | what | message | judgement | because |\n|---|---|---|---|---|\n{rows}");
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "?".to_owned(), |bytes| format!("{} MiB", bytes >> 20))
}

fn why(reports: &[Surveyed], text: &mut String) {
    let counts = count_reasons(reports);
    let mut ranked: Vec<_> = counts.iter().collect();
    ranked.sort_by_key(|(kind, count)| {
        (std::cmp::Reverse((count.unknown + count.bounded, count.named)), *kind)
    });
    let _ = writeln!(
        text,
        "Reasons without their places, names (`…`) and numbers (N). The first reason of an entry point is the one that ended the analysis for any number of processes.\n\n\
        | reason | first, not decided | first, bounded | among the reasons | most frequent names | packages |\n|---|---|---|---|---|---|"
    );
    for (kind, count) in ranked.iter().take(MOST_REASONS) {
        let names = count.names.iter().map(|(name, &count)| (format!("`{name}`"), count));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            cell(kind, REASON_LENGTH),
            count.unknown,
            count.bounded,
            count.named,
            cell(&reasons::top(names, 5), usize::MAX),
            reasons::top(count.packages.iter().map(|(name, &count)| (*name, count)), 5),
        );
    }
    if ranked.len() > MOST_REASONS {
        let _ = writeln!(text, "\nAnd {} more kinds of reasons.", ranked.len() - MOST_REASONS);
    }
    for (kind, _) in ranked.iter().take(EXPLAINED) {
        if let Some(explanation) = reasons::explanation(kind) {
            let _ = writeln!(text, "\n*{kind}*: {explanation}");
        }
    }
}

fn count_reasons(reports: &[Surveyed]) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for (package, report) in reports {
        for entry in &report.entries {
            let kinds: Vec<_> = entry.reasons.iter().map(|reason| reasons::kind(reason)).collect();
            for text in kinds.iter().map(|kind| &kind.text).collect::<BTreeSet<_>>() {
                counts.entry(text.clone()).or_default().named += 1;
            }
            let Some(first) = kinds.into_iter().next() else { continue };
            let count = counts.entry(first.text).or_default();
            match entry.fate {
                Fate::Unknown => count.unknown += 1,
                Fate::Bounded => count.bounded += 1,
                // Not the analysis's own words; see `wrong`.
                Fate::Exact | Fate::Panic | Fate::Died(_) => continue,
            }
            *count.packages.entry(package.name).or_default() += 1;
            if let Some(name) = first.name {
                *count.names.entry(name).or_default() += 1;
            }
        }
    }
    counts
}

/// Panics, deaths, runs past their time limit, large memories.
fn wrong(reports: &[Surveyed], text: &mut String) {
    let mut rows = Vec::new();
    for (package, report) in reports {
        for entry in &report.entries {
            let mut row = |what: String| rows.push(format!("| {}/{} | {what} |", package.name, entry.file));
            if matches!(entry.fate, Fate::Panic | Fate::Died(_)) {
                let said = entry.reasons.first().map_or("", String::as_str);
                row(format!("{}: {}", entry.verdict(), cell(said, REASON_LENGTH)));
            }
            if report.time_limit as f64 + OVERTIME <= entry.seconds {
                row(format!("took {:.1} s, past its time limit", entry.seconds));
            }
            if entry.peak.is_some_and(|peak| MUCH_MEMORY < peak) {
                row(format!("needs {} with its sources", memory(entry.peak)));
            }
            if entry.is_silent() && entry.names_communication {
                row("is said not to communicate, but its file names functions that do".to_owned());
            }
        }
    }
    if rows.is_empty() {
        let _ = writeln!(
            text,
            "Nothing: no panic, no process that died, no run past its time limit, no entry point that needs more than 2 GiB, none that is said to be silent while its file names functions that communicate."
        );
    } else {
        let _ = writeln!(text, "| entry point | what |\n|---|---|\n{}", rows.join("\n"));
    }
}

fn rows_of(package: &Package, report: &Report, text: &mut String) {
    let _ = writeln!(text, "\n### {}\n", package.name);
    if !package.note.is_empty() {
        let _ = writeln!(text, "{}", package.note);
    }
    if !package.define.is_empty() {
        let flags: Vec<_> = package.define.iter().map(|name| format!("`-D {name}`")).collect();
        let _ = writeln!(text, "With {}.", flags.join(", "));
    }
    if let Some(failure) = &report.failure {
        let _ = writeln!(text, "Not analysed: {}.", cell(failure, REASON_LENGTH));
        return;
    }
    // A silent program is a row only where that is doubtful.
    let (folded, rows): (Vec<_>, Vec<_>) =
        report.entries.iter().partition(|entry| entry.is_silent() && !entry.names_communication);
    if !folded.is_empty() {
        let _ = writeln!(text, "Exact, and communicating nothing: {}.", plural(folded.len(), "entry point"));
    }
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n| entry point | verdict | np | time | operations | first reason |\n|---|---|---|---|---|---|"
    );
    for entry in rows.iter().take(MOST_ROWS) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} s | {} | {} |",
            entry.file,
            entry.verdict(),
            if entry.fate == Fate::Unknown { "" } else { &entry.np },
            entry.seconds,
            entry.operations.map_or_else(String::new, |count| count.to_string()),
            cell(entry.reasons.first().map_or("", String::as_str), REASON_LENGTH),
        );
    }
    if let Some(rest) = rows.get(MOST_ROWS..).filter(|rest| !rest.is_empty()) {
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in rest {
            *verdicts.entry(entry.verdict()).or_default() += 1;
        }
        let _ = writeln!(
            text,
            "\nAnd {} more: {}.",
            plural(rest.len(), "entry point"),
            reasons::top(verdicts, usize::MAX)
        );
    }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Text for a cell of a table: one line, not longer than `most` characters.
fn cell(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if line.chars().count() <= most {
        return line;
    }
    let mut short: String = line.chars().take(most).collect();
    // A backquote that is left open would run into the next cell.
    if short.matches('`').count() % 2 == 1 {
        short.push('`');
    }
    short.push('…');
    short
}
