//! The document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use analyzer::results::VerdictKind;

use crate::mpi_run::Mpi;
use crate::subject::{Comparison, Library, Row};

/// A reason or a difference is cut after so many characters.
const LENGTH: usize = 300;
/// So many differences of a run are shown.
const SHOWN: usize = 6;

/// The whole document.
pub(crate) fn document(rows: &[Row], library: &Library) -> String {
    let mut text = String::from(
        "# Real runs\n\n\
        Messages and collectives of real runs against those that anyrank claims for the same number of processes.\n\
        `make real-runs` writes this page.\n\
        A run is compared with the answer for any number of processes where that is exact, otherwise with an exploration of its own number of processes.\n",
    );
    let runs = || rows.iter().flat_map(|row| &row.runs);
    let count = |wanted: &dyn Fn(&Comparison) -> bool| runs().filter(|(_, _, run)| wanted(run)).count();
    let equal = count(&|run| matches!(run, Comparison::Equal));
    let differ = count(&|run| matches!(run, Comparison::Differs(_)));
    let compared = |row: &&Row| row.runs.iter().any(|(_, _, run)| !matches!(run, Comparison::Skipped(_)));
    let _ = writeln!(
        text,
        "\n{} programs, of which {} were compared; {} runs compared, {equal} equal, {differ} different.",
        rows.len(),
        rows.iter().filter(compared).count(),
        equal + differ
    );
    if !library.lost.is_empty() {
        let lost: Vec<_> =
            library.lost.iter().map(|(file, why)| format!("{} ({why})", file.display())).collect();
        let _ = writeln!(text, "Not linked: {}.", lost.join(", "));
    }
    let _ = writeln!(text, "\n## Differences\n");
    differences(rows, &mut text);
    let _ = writeln!(
        text,
        "\n## Programs\n\n| program | answer | equal at np | different at np | skipped |\n|---|---|---|---|---|"
    );
    for row in rows {
        let verdict = match row.verdict {
            Some(VerdictKind::Exact) => "exact",
            Some(VerdictKind::Bounded) => "bounded",
            Some(VerdictKind::Unknown) => "not decided",
            None => "",
        };
        let equal = at(row, |run| matches!(run, Comparison::Equal));
        let different = at(row, |run| matches!(run, Comparison::Differs(_)));
        let _ = writeln!(text, "| {} | {verdict} | {equal} | {different} | {} |", row.name, skipped(row));
    }
    text
}

fn differences(rows: &[Row], text: &mut String) {
    let before = text.len();
    for row in rows {
        for (mpi, np, run) in &row.runs {
            let Comparison::Differs(lines) = run else { continue };
            let _ = writeln!(text, "{} at np = {np} under {}:\n", row.name, mpi.title());
            for line in lines.iter().take(SHOWN) {
                let _ = writeln!(text, "* {}", short(line));
            }
            if SHOWN < lines.len() {
                let _ = writeln!(text, "* and {} more", lines.len() - SHOWN);
            }
            let _ = writeln!(text);
        }
    }
    if text.len() == before {
        let _ = writeln!(text, "None.");
    }
}

/// The numbers of processes of some runs; without the MPI where both agree.
fn at(row: &Row, wanted: impl Fn(&Comparison) -> bool) -> String {
    let mut by_np: BTreeMap<u64, Vec<Mpi>> = BTreeMap::new();
    for (mpi, np, _) in row.runs.iter().filter(|(_, _, run)| wanted(run)) {
        by_np.entry(*np).or_default().push(*mpi);
    }
    let numbers = by_np.into_iter().map(|(np, mpis)| match mpis[..] {
        [one] => format!("{np} ({})", one.title()),
        _ => np.to_string(),
    });
    numbers.collect::<Vec<_>>().join(", ")
}

/// Why runs are not compared, each reason once.
fn skipped(row: &Row) -> String {
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (mpi, np, run) in &row.runs {
        if let Comparison::Skipped(reason) = run {
            reasons.entry(short(reason)).or_default().push(format!("{np} {}", mpi.title()));
        }
    }
    let all = row.runs.len();
    let reasons = reasons.into_iter().map(|(reason, runs)| {
        if runs.len() == all { reason } else { format!("{}: {reason}", runs.join(", ")) }
    });
    reasons.collect::<Vec<_>>().join("; ")
}

/// One line for a cell of a table.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if line.chars().count() <= LENGTH {
        return line;
    }
    let mut short: String = line.chars().take(LENGTH).collect();
    if short.matches('`').count() % 2 == 1 {
        short.push('`');
    }
    short.push('…');
    short
}
