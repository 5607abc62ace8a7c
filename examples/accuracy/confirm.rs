//! What a real run makes of a mutant.
//!
//! A wrong program need not do the same each time: whether it hangs depends on who comes first. So what a run has shown is kept in
//! `examples/accuracy/shown.txt`, and a mutant is run again when it has changed only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Subject;
use crate::calls::{EXECUTED, Source};
use crate::mpi_run::{self, Mpi, Options};

/// A right program of the corpus ends within a small part of it, on a busy machine too.
const TIME_LIMIT: Duration = Duration::from_secs(15);

/// How many mutants of one kind are run.
pub(crate) const SAMPLE: usize = 20;

/// What runs have shown: a line for each mutant, with its key and how it shows.
const KEPT: &str = "examples/accuracy/shown.txt";

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

impl Shown {
    const ALL: [(Self, &str); 5] = [
        (Self::NotCompiled, "not-compiled"),
        (Self::Error, "error"),
        (Self::Hang, "hang"),
        (Self::OtherOutput, "other-output"),
        (Self::NotAtAll, "not-at-all"),
    ];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(shown, _)| *shown == self).map_or("", |(_, text)| text)
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == text).map(|(shown, _)| *shown)
    }
}

/// What a program printed, in no particular order of ranks, where it ended well and says the same each time.
type Printed = Option<Vec<String>>;

/// Programs as they run when they are right.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// What the first run printed.
    first: Mutex<BTreeMap<String, Vec<String>>>,
    right: Mutex<BTreeMap<String, Printed>>,
    /// What earlier runs have shown, by the keys of the mutants.
    kept: BTreeMap<u64, Shown>,
    /// What is shown of the mutants that are asked for.
    shown: Mutex<BTreeMap<u64, Shown>>,
}

impl Runs {
    /// With what earlier runs have shown.
    pub(crate) fn new() -> Self {
        let text = fs::read_to_string(KEPT).unwrap_or_default();
        let line = |line: &str| {
            let (key, shown) = line.split_once(' ')?;
            Some((u64::from_str_radix(key, 16).ok()?, Shown::parse(shown)?))
        };
        Self { kept: text.lines().filter_map(line).collect(), ..Self::default() }
    }

    /// Keeps what was shown of the mutants that were asked for.
    pub(crate) fn keep(&self) -> Result<(), String> {
        let mut text = "# What runs of mutants have shown. `make accuracy` writes this file.\n".to_owned();
        for (key, shown) in locked(&self.shown).iter() {
            let _ = writeln!(text, "{key:016x} {}", shown.text());
        }
        fs::write(KEPT, text).map_err(|error| format!("{KEPT}: {error}"))
    }

    /// Compiles and runs a mutant of a program under MPICH, unless it is known what that shows.
    pub(crate) fn show(&self, subject: &Subject, mutant: &str) -> Result<Shown, String> {
        let mut hasher = DefaultHasher::new();
        (mutant, &subject.text, &subject.flags, subject.np).hash(&mut hasher);
        let key = hasher.finish();
        let shown = match self.kept.get(&key) {
            Some(&shown) => shown,
            None => self.shown_now(subject, mutant)?,
        };
        locked(&self.shown).insert(key, shown);
        Ok(shown)
    }

    /// The lines of calls that a right program executes when it is run; `None` where it cannot be run, or not to its end in time.
    pub(crate) fn executed(
        &self,
        subject: &Subject,
        source: &Source,
    ) -> Result<Option<BTreeSet<u32>>, String> {
        if !subject.runs {
            return Ok(None);
        }
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = directory.path().join("program.c");
        fs::write(&file, source.marked()).map_err(|error| error.to_string())?;
        let flags: Vec<&str> = subject.flags.iter().map(String::as_str).chain(["-w"]).collect();
        let program = mpi_run::compile(Mpi::Mpich, &[Path::new(&file)], &flags)?;
        let options = Options { time_limit: 4 * TIME_LIMIT, trace: false, ..Options::default() };
        let outcome = program.run(subject.np, options)?;
        if !outcome.succeeded() {
            eprintln!("{}: the run did not end well", subject.name);
            return Ok(None);
        }
        locked(&self.first).insert(subject.name.clone(), sorted(&outcome.stdout));
        let lines =
            outcome.stderr.lines().filter_map(|line| line.split_once(EXECUTED)?.1.trim().parse().ok());
        Ok(Some(lines.collect()))
    }

    fn shown_now(&self, subject: &Subject, mutant: &str) -> Result<Shown, String> {
        let known = locked(&self.right).get(&subject.name).cloned();
        let right = match known {
            Some(right) => right,
            None => {
                let first = locked(&self.first).get(&subject.name).cloned();
                let printed = match (first, run(subject, &subject.text)?) {
                    (Some(first), Ok(second)) => (first == second).then_some(second),
                    _ => None,
                };
                locked(&self.right).insert(subject.name.clone(), printed.clone());
                printed
            }
        };
        Ok(match run(subject, mutant)? {
            Err(shown) => shown,
            Ok(lines) => match right {
                Some(right) if right != lines => Shown::OtherOutput,
                _ => Shown::NotAtAll,
            },
        })
    }
}

/// Nobody panics while holding one of these.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
    Ok(Ok(sorted(&outcome.stdout)))
}

fn sorted(printed: &str) -> Vec<String> {
    let mut lines: Vec<String> = printed.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}
