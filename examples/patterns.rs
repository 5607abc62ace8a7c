//! Writes `docs/patterns.md`, the table of the programs of `corpus/` with what anyrank answers: `make patterns`.
//!
//! Nothing on the page depends on the machine: two runs write the same.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use analyzer::Without;
use analyzer::results::{MatchProof, ProgramReport, Proved, VerdictKind};
use anyrank::session::{self, Request};
use effort::Limits;
use rayon::ThreadPoolBuilder;
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

/// Bytes of the stack of each thread.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    // Deep programs need deep stacks, as those of the command.
    let pool = ThreadPoolBuilder::new().stack_size(STACK).build();
    let written = pool.map_err(|error| error.to_string()).and_then(|pool| pool.install(write));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn write() -> Result<(), String> {
    let rows = rows()?;
    let text = page(&rows) + &ablation(&rows)?;
    fs::write(PAGE, text).map_err(|error| format!("{PAGE}: {error}"))
}

/// A program and what anyrank says about it.
struct Row {
    program: Program,
    report: ProgramReport,
    /// Why its sends match its receives.
    proofs: Vec<MatchProof>,
}

/// All programs, by name.
fn rows() -> Result<Vec<Row>, String> {
    program::collect(Path::new("corpus"))?.into_par_iter().map(row).collect()
}

fn row(program: Program) -> Result<Row, String> {
    let mut report = analyse(&program, Limits::default(), true, None)?;
    let proofs = report.proofs.take().unwrap_or_default();
    Ok(Row { program, report, proofs })
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

fn page(rows: &[Row]) -> String {
    let (right, wrong): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row.program.is_right());
    let exact = right.iter().filter(|row| row.report.verdict.kind == VerdictKind::Exact).count();
    let mut text = "# Patterns\n\n\
        What anyrank answers about each program of [corpus/](../corpus/README.md).\n\
        `make patterns` writes this page.\n\
        Work is counted in steps of the analysis, which are the same on any machine; a second is some 20 million of them.\n"
        .to_owned();
    let _ = writeln!(
        text,
        "\nOf the {} programs without an error, {exact} are exact for any number of processes ({} %).",
        right.len(),
        (100 * exact).checked_div(right.len()).unwrap_or(0)
    );
    let is_by_model = |row: &&&Row| row.report.is_by_model && row.report.verdict.kind == VerdictKind::Exact;
    let by_model = right.iter().filter(is_by_model).count();
    let _ = writeln!(
        text,
        "{by_model} of these answers are those of the communication model (crates `extraction` and `model`), and {} those of the parallel dataflow engine, which is asked first.",
        exact - by_model
    );
    let proofs = || rows.iter().flat_map(|row| &row.proofs);
    let count = |wanted: Proved| proofs().filter(|proof| proof.proved == wanted).count();
    let _ = writeln!(
        text,
        "Of the matches of a send with a receive that make these answers, the algebra of crate `hsm` alone proves {} % once more, and contradicts {} (`anyrank topology -v` shows the steps).",
        (100 * count(Proved::ByAlgebra)).checked_div(proofs().count()).unwrap_or(0),
        count(Proved::Refuted)
    );
    let asked = rows.iter().filter(|row| 0 < row.report.questions).count();
    let _ = writeln!(
        text,
        "For {asked} of the {} programs the answer itself asks crate `hsm` whether sends and receives match.",
        rows.len()
    );
    for (title, rows) in [("Programs without an error", right), ("Programs with an error", wrong)] {
        let _ = writeln!(
            text,
            "\n## {title}\n\n| program | what it is | verdict | processes | because, or assuming | work |\n|---|---|---|---|---|---|"
        );
        for row in rows {
            let _ = writeln!(text, "{}", row.line());
        }
    }
    text
}

/// What is lost where a part of the proofs is left out.
fn ablation(rows: &[Row]) -> Result<String, String> {
    let mut text = String::from(
        "\n## What it takes\n\nHow many of all programs are exact, and how many matches are proved once more by crate `hsm`, where a part of it is left out.\n\
         \n| without | exact | lost | matches proved | programs lost |\n|---|---|---|---|---|\n",
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
        let sentence = cell(&self.program.sentence);
        let note = cell(&note);
        format!(
            "| [{name}](../{link}) | {sentence} | {kind} | {processes} | {note} | {} |",
            class(self.report.work)
        )
    }
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn class(work: u64) -> &'static str {
    match work {
        0..100_000 => "< 100,000",
        100_000..1_000_000 => "< 1 million",
        1_000_000..10_000_000 => "< 10 million",
        10_000_000..100_000_000 => "< 100 million",
        _ => "more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_the_next_one_begins() {
        let sentence = |text: &str| program::first_sentence(text).unwrap_or_default();
        assert_eq!(sentence("/* One thing. Another. */"), "One thing");
        assert_eq!(
            sentence("/* Fig. 1 of a paper: a\n * gather.\n *\n * More. */"),
            "Fig. 1 of a paper: a gather"
        );
        assert_eq!(sentence("/* No stop\n *\n * More.\n */"), "No stop");
        assert_eq!(sentence("/* expect:\n *   np: 4\n */"), "");
        assert_eq!(sentence("#include <mpi.h>\n/* Late. */"), "");
    }
}
