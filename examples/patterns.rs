//! Writes `docs/patterns.md`, the table of the programs of `corpus/` with what anyrank answers: `make patterns`.
//!
//! Times are given as classes, of the fastest of a few runs, so that the page changes only where an answer does. The test
//! of this example fails when the page is out of date, times aside.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use analyzer::Without;
use analyzer::results::{MatchProof, ProgramReport, Proved, VerdictKind};
use anyrank::session::{self, Request};
use effort::Limits;
use rayon::prelude::*;

#[path = "../tests/harness"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the corpus use more of it")]
mod harness {
    pub mod expectation;
    pub mod marks;
    pub mod program;
}

use harness::program::{self, Program};

/// The page.
const PAGE: &str = "docs/patterns.md";

/// So many runs, of which the fastest counts.
const RUNS: usize = 3;

fn main() -> ExitCode {
    let written = rows(RUNS, Limits::default()).and_then(|rows| {
        let text = page(&rows) + &ablation(&rows)?;
        fs::write(PAGE, text).map_err(|error| format!("{PAGE}: {error}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A program and what anyrank says about it.
struct Row {
    program: Program,
    /// What the program is, by its own words.
    sentence: String,
    report: ProgramReport,
    /// Why its sends match its receives.
    proofs: Vec<MatchProof>,
    /// Time of the analysis, without reading the file.
    time: Duration,
}

/// All programs, by name.
fn rows(runs: usize, limits: Limits) -> Result<Vec<Row>, String> {
    program::collect(Path::new("corpus"))?.into_iter().map(|program| row(program, runs, limits)).collect()
}

fn row(program: Program, runs: usize, limits: Limits) -> Result<Row, String> {
    let head = fs::read_to_string(&program.head).map_err(|error| format!("{}: {error}", program.name))?;
    let sentence = first_sentence(&head).ok_or_else(|| {
        format!("{} does not begin with a comment that says what it is", program.head.display())
    })?;
    let mut best: Option<ProgramReport> = None;
    let mut proofs = Vec::new();
    for run in 0..runs {
        let mut report = analyse(&program, limits, run == 0, None)?;
        proofs.extend(report.proofs.take().into_iter().flatten());
        if best.as_ref().is_none_or(|best| report.seconds < best.seconds) {
            best = Some(report);
        }
    }
    let report = best.ok_or("no run, no row")?;
    let time = Duration::from_secs_f64(report.seconds);
    Ok(Row { program, sentence, report, proofs, time })
}

fn analyse(
    program: &Program,
    limits: Limits,
    proofs: bool,
    without: Option<Without>,
) -> Result<ProgramReport, String> {
    let files = program.files.clone();
    let request =
        Request { unit_rules: false, jobs: Some(1), limits, proofs, without, ..Request::new(files) };
    let mut outcome = session::analyse(&request).map_err(|failure| failure.to_string())?.outcome;
    if let Some(error) = outcome.errors.first() {
        return Err(format!("{}: {}", error.file, error.message));
    }
    match (outcome.programs.pop(), outcome.programs.len()) {
        (Some(report), 0) => Ok(report),
        (_, more) => Err(format!("{}: {} programs where one was expected", program.name, more + 1)),
    }
}

/// The first sentence of the comment that the text begins with.
fn first_sentence(text: &str) -> Option<String> {
    let (comment, _) = text.strip_prefix("/*")?.split_once("*/")?;
    let lines = comment.lines().map(|line| {
        let line = line.trim();
        line.strip_prefix('*').unwrap_or(line).trim()
    });
    // A paragraph ends at an empty line.
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if paragraph.starts_with("expect:") {
        return None;
    }
    // `Fig. 1` goes on.
    let end = paragraph
        .match_indices(". ")
        .find(|(at, _)| paragraph[at + 2..].starts_with(|c: char| c.is_uppercase()))
        .map_or(paragraph.len(), |(at, _)| at);
    let sentence = paragraph[..end].trim_end_matches('.');
    (!sentence.is_empty()).then(|| sentence.to_owned())
}

fn page(rows: &[Row]) -> String {
    let (right, wrong): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.program.is_right());
    let exact = right.iter().filter(|row| row.report.verdict.kind == VerdictKind::Exact).count();
    let mut text = "# Patterns\n\n\
        What anyrank answers about each program of [corpus/](../corpus/README.md).\n\
        `make patterns` writes this page.\n\
        Times are those of the analysis alone, fastest of a few runs.\n"
        .to_owned();
    let _ = writeln!(
        text,
        "\nOf the {} programs without an error, {exact} are exact for any number of processes ({} %).",
        right.len(),
        (100 * exact).checked_div(right.len()).unwrap_or(0)
    );
    let proofs = || rows.iter().flat_map(|row| &row.proofs);
    let count = |wanted: Proved| proofs().filter(|proof| proof.proved == wanted).count();
    let _ = writeln!(
        text,
        "Of the matches of a send with a receive that make these answers, the algebra of crate `hsm` alone proves {} % once more, and contradicts {} (`anyrank topology -v` shows the steps).",
        (100 * count(Proved::ByAlgebra)).checked_div(proofs().count()).unwrap_or(0),
        count(Proved::Refuted)
    );
    for (title, rows) in [("Programs without an error", right), ("Programs with an error", wrong)] {
        let _ = writeln!(
            text,
            "\n## {title}\n\n| program | what it is | verdict | processes | because, or assuming | time |\n|---|---|---|---|---|---|"
        );
        for row in rows {
            let _ = writeln!(text, "{}", row.line());
        }
    }
    text
}

/// Where the part of the page begins that the test leaves out: it takes the corpus as often as there are parts to do without.
const ABLATION: &str = "\n## What it takes\n";

/// What is lost where a part of the proofs is left out.
fn ablation(rows: &[Row]) -> Result<String, String> {
    let mut text = format!(
        "{ABLATION}\nHow many of all programs are exact, and how many matches are proved once more by crate `hsm`, where a part of it is left out.\n\
         \n| without | exact | lost | matches proved | programs lost |\n|---|---|---|---|---|\n"
    );
    let is_exact = |report: &ProgramReport| report.verdict.kind == VerdictKind::Exact;
    let proved = |proofs: &[MatchProof]| {
        let by = |proof: &&MatchProof| matches!(proof.proved, Proved::ByAlgebra | Proved::ByProver);
        (proofs.iter().filter(by).count(), proofs.len())
    };
    let sum = |all: &mut dyn Iterator<Item = (usize, usize)>| {
        let (some, all) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        format!("{some} of {all}")
    };
    let exact: Vec<&Row> = rows.iter().filter(|row| is_exact(&row.report)).collect();
    let matches = sum(&mut exact.iter().map(|row| proved(&row.proofs)));
    let _ = writeln!(text, "| nothing | {} | | {matches} | |", exact.len());
    let parts = [
        ("Z3", Without::Z3),
        ("canonical forms of sequences", Without::CanonicalForms),
        ("digits of ranks", Without::DigitBoxes),
    ];
    for (name, without) in parts {
        let reports: Vec<(&Row, ProgramReport)> = exact
            .par_iter()
            .map(|row| Ok((*row, analyse(&row.program, Limits::of_seconds(100), true, Some(without))?)))
            .collect::<Result<_, String>>()?;
        let lost: Vec<&str> = reports
            .iter()
            .filter(|(_, report)| !is_exact(report))
            .map(|(row, _)| row.program.name.as_str())
            .collect();
        let mut counts =
            reports.iter().map(|(_, report)| proved(report.proofs.as_deref().unwrap_or_default()));
        let matches = sum(&mut counts);
        let kept = exact.len() - lost.len();
        let _ = writeln!(text, "| {name} | {kept} | {} | {matches} | {} |", lost.len(), lost.join(", "));
    }
    Ok(text)
}

impl Row {
    fn line(&self) -> String {
        let verdict = &self.report.verdict;
        let (kind, processes) = match verdict.kind {
            VerdictKind::Exact => ("exact", verdict.np.as_str()),
            VerdictKind::Bounded => ("bounded", verdict.np.as_str()),
            VerdictKind::Unknown => ("not decided", ""),
        };
        let notes = if verdict.kind == VerdictKind::Exact { &verdict.assumptions } else { &verdict.reasons };
        let mut note = notes.first().cloned().unwrap_or_default();
        if 1 < notes.len() {
            let _ = write!(note, " (and {} more)", notes.len() - 1);
        }
        let name = self.program.name.replace('_', " ");
        // The path is relative to the page.
        let link = match self.program.files.as_slice() {
            [file] => file.display().to_string(),
            _ => format!("corpus/{}", self.program.name),
        };
        let sentence = cell(&self.sentence);
        let note = cell(&note);
        format!("| [{name}](../{link}) | {sentence} | {kind} | {processes} | {note} | {} |", class(self.time))
    }
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn class(time: Duration) -> &'static str {
    match time.as_millis() {
        0..10 => "< 10 ms",
        10..100 => "< 100 ms",
        100..1000 => "< 1 s",
        _ => "slower",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page without its last column.
    fn without_times(page: &str) -> Vec<&str> {
        page.lines()
            .map(|line| match line.strip_suffix(" |").and_then(|row| row.rsplit_once(" | ")) {
                Some((row, _)) => row,
                None => line,
            })
            .collect()
    }

    #[test]
    fn the_page_is_current() {
        // A debug build is slower than what wrote the page.
        let rows = rows(1, Limits::of_seconds(100)).expect("the corpus can be analysed");
        let now = page(&rows);
        let written = fs::read_to_string(PAGE).expect("the page is there");
        let (written, _) = written.split_once(ABLATION).expect("the page ends with what it takes");
        let stale: Vec<String> = {
            let (now, written) = (without_times(&now), without_times(written));
            let gone = written.iter().filter(|line| !now.contains(line)).map(|line| format!("- {line}"));
            let new = now.iter().filter(|line| !written.contains(line)).map(|line| format!("+ {line}"));
            gone.chain(new).collect()
        };
        assert!(stale.is_empty(), "{PAGE} is out of date, run `make patterns`:\n{}", stale.join("\n"));
    }

    #[test]
    fn a_sentence_ends_where_the_next_one_begins() {
        let sentence = |text: &str| first_sentence(text).unwrap_or_default();
        assert_eq!(sentence("/* One thing. Another. */"), "One thing");
        assert_eq!(
            sentence("/* Fig. 1 of a paper: a\n * gather.\n *\n * More. */"),
            "Fig. 1 of a paper: a gather"
        );
        assert_eq!(sentence("/* No stop\n *\n * More.\n */"), "No stop");
        assert_eq!(sentence("/* expect:\n *   np: 4\n */"), "");
        assert_eq!(sentence("#include <mpi.h>\n/* Late. */"), "");
    }

    #[test]
    fn only_the_time_is_left_out_of_the_comparison() {
        assert_eq!(
            without_times("# Title\n\n| a | exact | < 10 ms |\n| b | exact | slower |"),
            ["# Title", "", "| a | exact", "| b | exact"]
        );
    }
}
