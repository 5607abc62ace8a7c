//! How many right programs of crate `simulator` are decided for any number of processes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use analyzer::results::VerdictKind;
use anyrank::session::{self, Request};
use rayon::prelude::*;
use simulator::generate::{FEATURES, Wish, generate};

use crate::LIMITS;

/// The heading of the section; the next heading ends it.
const HEADING: &str = "## Generated programs";
/// Programs that are counted.
pub(crate) const PROGRAMS: u64 = 300;

/// The section.
pub(crate) fn section(programs: u64) -> Result<String, String> {
    let judged: Vec<(Vec<&'static str>, VerdictKind)> =
        (1..=programs).into_par_iter().map(judged).collect::<Result<_, _>>()?;
    let share = |of: &dyn Fn(&[&'static str]) -> bool| {
        let all: Vec<VerdictKind> =
            judged.iter().filter(|(features, _)| of(features)).map(|(_, kind)| *kind).collect();
        let count = |kind| all.iter().filter(|other| **other == kind).count();
        (all.len(), count(VerdictKind::Exact), count(VerdictKind::Bounded))
    };
    let percent = |part: usize, all: usize| {
        let tenths = part * 1000 / all.max(1);
        format!("{}.{} %", tenths / 10, tenths % 10)
    };
    let (all, exact, bounded) = share(&|_| true);
    let mut text = format!(
        "{HEADING}\n\nThe random programs of crate `simulator` are written as people write: helper functions, structs of neighbours, `switch`, `goto`, loops with `break`, parts of parts of a communicator.\n\
         These are right for any number of processes; `cargo test -p analyzer --test all simulated` compares what is said of them, and of ones with a mistake, with what a simulator of MPI does.\n\
         `cargo run --release --example accuracy -- --generated` writes this section alone.\n\n\
         Of {all} right programs {exact} are exact ({}), {bounded} more are explored for a few numbers of processes ({}), and {} are not decided.\n\n\
         | with | programs | exact | explored |\n|---|---|---|---|\n",
        percent(exact, all),
        percent(bounded, all),
        all - exact - bounded,
    );
    let mut rows: BTreeMap<&str, String> = BTreeMap::new();
    for feature in FEATURES {
        let (all, exact, bounded) = share(&|features| features.contains(&feature));
        if all > 0 {
            let row =
                format!("| {feature} | {all} | {} | {} |\n", percent(exact, all), percent(bounded, all));
            rows.insert(feature, row);
        }
    }
    rows.values().for_each(|row| text.push_str(row));
    let _ = writeln!(text);
    Ok(text)
}

fn judged(seed: u64) -> Result<(Vec<&'static str>, VerdictKind), String> {
    let generated = generate(seed, &Wish::default());
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("generated.c");
    fs::write(&file, &generated.text).map_err(|error| format!("{}: {error}", file.display()))?;
    let request = Request { jobs: Some(1), quiet: true, limits: LIMITS, ..Request::new(vec![file]) };
    let answer = session::analyse(&request).map_err(|failure| format!("seed {seed}: {failure}"))?;
    let program = answer.outcome.programs.first().ok_or(format!("seed {seed}: no program"))?;
    Ok((generated.features, program.verdict.kind))
}

/// The page with this section in the place of the one that it has, or where it belongs.
pub(crate) fn replaced(page: &str, section: &str) -> String {
    let Some(start) = page.find(HEADING) else {
        let at = page.find("## Not found").unwrap_or(page.len());
        return format!("{}{section}{}", &page[..at], &page[at..]);
    };
    let after = start + HEADING.len();
    let end = page[after..].find("\n## ").map_or(page.len(), |at| after + at + 1);
    format!("{}{section}{}", &page[..start], &page[end..])
}
