//! The document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::mpi_run::Mpi;
use crate::subject::{Answer, Comparison, Library, Row, Run};

/// A reason or a difference is cut after so many characters.
const LENGTH: usize = 240;
/// So many differences of a run are shown.
const SHOWN: usize = 6;

/// The whole document.
pub(crate) fn document(rows: &[Row], library: &Library) -> String {
    let mut text = String::from(
        "# Real runs\n\n\
        Messages and collectives of real runs against those that anyrank claims for the same number of processes, for each program for which it claims any: MPICH's examples and its tests of point-to-point communication and of collectives.\n\
        `make real-runs` writes this page; `examples/real_runs` makes it, with the comparison that the tests of the corpus use.\n\n\
        Each program is built with Open MPI and with MPICH and traced (`runtime/trace`) with 2, 3 and 4 processes, and with the numbers that the answer or MPICH's list of its tests names; under MPICH only where there is a core for each, or where Open MPI lacks what the program needs.\n\
        A run is compared with an exploration of its own number of processes, and where the answer is exact for any number, with that answer too.\n\
        Arguments are those of MPICH's list of its tests; there is no input.\n\
        Its tests of neighbourhood collectives (`neighb_*`, `p_neighb_*`) are empty where they are compiled for any MPI, as here.\n\
        Where anyrank claims that processes wait for ever, the run is equal if it does not end.\n",
    );
    summary(rows, &mut text);
    if !library.lost.is_empty() {
        let lost: Vec<_> =
            library.lost.iter().map(|(file, why)| format!("{} ({why})", file.display())).collect();
        let _ = writeln!(text, "\nNot linked: {}.", lost.join(", "));
    }
    let _ = writeln!(text, "\n## Differences\n");
    differences(rows, &mut text);
    let _ = writeln!(
        text,
        "\n## Programs\n\nMessages and collectives are those of all runs that were compared.\n\n\
        | program | answer | np compared | messages | collectives | verdict |\n|---|---|---|---|---|---|"
    );
    for row in rows {
        let answer = match &row.answer {
            Answer::Exact(np) => format!("exact, {np}"),
            Answer::Bounded(np) => format!("bounded, {np}"),
            Answer::Open(_) => continue,
        };
        let (messages, collectives) = compared(row);
        let at = at(&row.runs, |run| is_compared(&run.outcome));
        let _ = writeln!(
            text,
            "| {} | {answer} | {at} | {messages} | {collectives} | {} |",
            row.name,
            verdict(row)
        );
    }
    let _ = writeln!(
        text,
        "\n## Not decided\n\nNothing is claimed about these, so there is nothing to compare.\n\n| program | first reason |\n|---|---|"
    );
    for row in rows {
        if let Answer::Open(why) = &row.answer {
            let _ = writeln!(text, "| {} | {} |", row.name, short(why));
        }
    }
    text
}

fn is_equal(run: &Comparison) -> bool {
    matches!(run, Comparison::Equal { .. } | Comparison::Hangs(_))
}

fn is_different(run: &Comparison) -> bool {
    matches!(run, Comparison::Differs(_))
}

fn is_compared(run: &Comparison) -> bool {
    is_equal(run) || is_different(run)
}

fn summary(rows: &[Row], text: &mut String) {
    let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
    let open = count(&|row| matches!(row.answer, Answer::Open(_)));
    let any = |row: &Row, wanted: fn(&Comparison) -> bool| row.runs.iter().any(|run| wanted(&run.outcome));
    let differ = count(&|row| any(row, is_different));
    let equal = count(&|row| any(row, is_equal) && !any(row, is_different));
    let decided = rows.len() - open;
    let (messages, collectives) = rows.iter().map(compared).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let runs = rows.iter().flat_map(|row| &row.runs).filter(|run| is_compared(&run.outcome)).count();
    let _ = writeln!(
        text,
        "\n{} programs; {decided} with an answer that is exact or bounded, of which {} were compared with real runs: {equal} equal, {differ} different.\n\
        {runs} runs, {messages} messages, {collectives} collectives.",
        rows.len(),
        equal + differ,
    );
}

/// The messages and collectives that were compared.
fn compared(row: &Row) -> (usize, usize) {
    row.runs.iter().fold((0, 0), |sum, run| match run.outcome {
        Comparison::Equal { messages, collectives } => (sum.0 + messages, sum.1 + collectives),
        _ => sum,
    })
}

fn differences(rows: &[Row], text: &mut String) {
    let before = text.len();
    for row in rows {
        for Run { mpi, np, outcome } in &row.runs {
            let Comparison::Differs(lines) = outcome else { continue };
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

/// The numbers of processes of some runs; with the MPI where not both were asked and agree.
fn at(runs: &[Run], wanted: impl Fn(&Run) -> bool) -> String {
    let mut by_np: BTreeMap<u64, Vec<Mpi>> = BTreeMap::new();
    for run in runs.iter().filter(|run| wanted(run)) {
        by_np.entry(run.np).or_default().push(run.mpi);
    }
    let asked = |np: u64| runs.iter().filter(|run| run.np == np).count();
    let mut by_mpi: BTreeMap<Option<Mpi>, Vec<String>> = BTreeMap::new();
    for (np, mpis) in by_np {
        let only = if mpis.len() < asked(np) { mpis.first().copied() } else { None };
        by_mpi.entry(only).or_default().push(np.to_string());
    }
    let parts = by_mpi.into_iter().map(|(mpi, numbers)| match mpi {
        None => numbers.join(", "),
        Some(mpi) => format!("{} under {}", numbers.join(", "), mpi.title()),
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// What came of all runs, each reason for none once.
fn verdict(row: &Row) -> String {
    let mut parts = Vec::new();
    let different = at(&row.runs, |run| is_different(&run.outcome));
    if !different.is_empty() {
        parts.push(format!("differs at np = {different}"));
    } else if row.runs.iter().any(|run| is_equal(&run.outcome)) {
        parts.push("equal".to_owned());
    }
    let mut reasons: BTreeMap<String, Vec<&Run>> = BTreeMap::new();
    for run in &row.runs {
        reasons.entry(reason(run).unwrap_or_default()).or_default().push(run);
    }
    reasons.remove("");
    for (reason, runs) in reasons {
        let of_mpi = |mpi: Mpi| row.runs.iter().filter(move |run| run.mpi == mpi).count();
        let mpi = runs[0].mpi;
        if runs.len() == row.runs.len() {
            parts.push(reason);
        } else if runs.iter().all(|run| run.mpi == mpi) && runs.len() == of_mpi(mpi) {
            parts.push(format!("under {} {reason}", mpi.title()));
        } else {
            let among = |run: &Run| runs.iter().any(|other| (other.mpi, other.np) == (run.mpi, run.np));
            parts.push(format!("np = {}: {reason}", at(&row.runs, among)));
        }
    }
    parts.join("; ")
}

/// Why a run did not end or was not compared; it is said elsewhere of how many processes.
fn reason(run: &Run) -> Option<String> {
    let reason = match &run.outcome {
        Comparison::NotRun(why) => why.clone(),
        Comparison::NotClaimed(why) => format!("nothing claimed: {why}"),
        Comparison::Hangs(why) => format!("waits for ever, as claimed: {why}"),
        Comparison::Equal { .. } | Comparison::Differs(_) => return None,
    };
    Some(short(reason.trim_end_matches(&format!(" (np = {})", run.np))))
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
