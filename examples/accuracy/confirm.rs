//! What a real run makes of a mutant.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Subject;
use crate::mpi_run::{self, Mpi, Options};

/// A right program of the corpus ends within a small part of it.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// How many mutants of one kind are run.
const SAMPLE: usize = 40;

/// How a mutant shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shown {
    /// The compiler refuses it.
    NotCompiled,
    /// The run ends with an error.
    Error,
    /// It does not end.
    Hang,
    /// What it prints is not what the right program prints.
    OtherOutput,
    /// It looks right.
    NotAtAll,
}

/// What a program printed, in no particular order of ranks, where it ended well and says the same each time.
type Printed = Option<Vec<String>>;

/// Programs as they run when they are right.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    right: BTreeMap<String, Printed>,
}

/// Which of several mutants are run, by their kinds: the same number of each at most, spread evenly.
pub(crate) fn sample(operators: &[Option<&'static str>]) -> Vec<usize> {
    let mut of_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, operator) in operators.iter().enumerate() {
        if let Some(operator) = operator {
            of_kind.entry(operator).or_default().push(index);
        }
    }
    let spread = |all: Vec<usize>| {
        let step = all.len().div_ceil(SAMPLE).max(1);
        all.into_iter().step_by(step)
    };
    of_kind.into_values().flat_map(spread).collect()
}

impl Runs {
    /// Compiles and runs a mutant of a program under MPICH.
    pub(crate) fn show(&mut self, subject: &Subject, mutant: &str) -> Result<Shown, String> {
        if !self.right.contains_key(&subject.name) {
            let twice = [run(subject, &subject.text)?, run(subject, &subject.text)?];
            let printed = match twice {
                [Ok(first), Ok(second)] => (first == second).then_some(first),
                _ => None,
            };
            self.right.insert(subject.name.clone(), printed);
        }
        Ok(match run(subject, mutant)? {
            Err(shown) => shown,
            Ok(lines) => match &self.right[&subject.name] {
                Some(right) if *right != lines => Shown::OtherOutput,
                _ => Shown::NotAtAll,
            },
        })
    }
}

/// What a program prints, in order.
fn run(subject: &Subject, text: &str) -> Result<Result<Vec<String>, Shown>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("program.c");
    fs::write(&file, text).map_err(|error| error.to_string())?;
    let flags: Vec<&str> = subject.flags.iter().map(String::as_str).chain(["-w"]).collect();
    let Ok(program) = mpi_run::compile(Mpi::Mpich, &[Path::new(&file)], &flags) else {
        return Ok(Err(Shown::NotCompiled));
    };
    let outcome =
        program.run(subject.np, Options { time_limit: TIME_LIMIT, trace: false, ..Options::default() })?;
    if outcome.status.is_none() {
        return Ok(Err(Shown::Hang));
    }
    if !outcome.succeeded() {
        return Ok(Err(Shown::Error));
    }
    let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
    lines.sort();
    Ok(Ok(lines))
}
