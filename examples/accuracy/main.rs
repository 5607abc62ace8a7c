//! Writes `docs/accuracy.md`: how many known defects are found, `make accuracy`.
//!
//! Each program of `corpus/` that is right is changed in one place such that it has one known defect, in every way that applies; what
//! anyrank reports is compared with the defect's rule and line. Besides, the page tells how many right random programs of crate
//! `simulator` are decided for any number of processes; `--generated` writes that section alone.

mod arguments;
mod calls;
mod confirm;
mod generated;
mod mutants;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use analyzer::results::{Finding, Severity};
use analyzer::rules::Rule;
use anyrank::session::{self, Request};
use effort::Limits;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use calls::Source;
use confirm::{Runs, Shown};
use harness::marks::MarkKind;
use harness::program;
use mutants::Mutant;

#[path = "../../tests/harness"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the corpus use more of it")]
mod harness {
    pub mod expectation;
    pub mod marks;
    pub mod program;
}

#[path = "../../tests/support/mpi_run.rs"]
mod mpi_run;

/// A right program.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) text: String,
    /// Of the compiler.
    pub(crate) flags: Vec<String>,
    /// Number of processes that it is run with.
    pub(crate) np: usize,
    /// Whether it can be run at all.
    pub(crate) runs: bool,
}

/// What is written.
const PAGE: &str = "docs/accuracy.md";

/// For each program.
const LIMITS: Limits = Limits::of_seconds(10);

/// Mutants of each change that are analysed, spread over the programs; `--all` analyses each.
const MUTANTS: usize = 100;

/// Programs that are run at the same time.
const RUNNERS: usize = 3;

/// Bytes.
const STACK: usize = 256 << 20;

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Score {
    /// The rule of the defect, or one that describes it too, at the right line.
    Found,
    /// At another line.
    Elsewhere,
    /// Something else was reported, which the original does not have.
    Other,
    /// Nothing.
    Silent,
}

/// A mutant and what became of it.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) program: String,
    pub(crate) operator: &'static str,
    pub(crate) line: u32,
    /// The rule that is expected first, or that was found of those that are expected.
    pub(crate) rule: Rule,
    pub(crate) score: Score,
    /// What was reported instead.
    pub(crate) instead: String,
    /// What a run makes of it, if it was run.
    pub(crate) shown: Option<Shown>,
}

/// What was found in a right program.
#[derive(Debug)]
pub(crate) struct Original {
    pub(crate) rules: BTreeSet<Rule>,
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (mut wanted, mut keep, mut most, mut generated) = (None, None, Some(MUTANTS), false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--generated" => generated = true,
            "--only" => (wanted, most) = (arguments.next(), None),
            "--keep" => keep = arguments.next(),
            "--all" => most = None,
            "--at-most" => most = arguments.next().and_then(|number| number.parse().ok()),
            _ => {
                eprintln!(
                    "usage: accuracy [--only PART-OF-NAME-OR-OPERATOR] [--keep DIRECTORY-FOR-MUTANTS-NOT-FOUND] [--all | --at-most MUTANTS-OF-EACH-CHANGE] [--generated]"
                );
                return ExitCode::from(2);
            }
        }
    }
    // Deep programs need deep stacks, as those of the command.
    let pool = ThreadPoolBuilder::new().stack_size(STACK).build();
    let result = match pool {
        Ok(pool) if generated => pool.install(only_generated),
        Ok(pool) => pool.install(|| run(wanted.as_deref(), keep.as_deref(), most)),
        Err(error) => Err(error.to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the section of the generated programs anew; the rest of the page stays as it is.
fn only_generated() -> Result<(), String> {
    let section = generated::section(generated::PROGRAMS)?;
    let page = fs::read_to_string(PAGE).map_err(|error| format!("{PAGE}: {error}"))?;
    fs::write(PAGE, generated::replaced(&page, &section)).map_err(|error| format!("{PAGE}: {error}"))
}

fn run(wanted: Option<&str>, keep: Option<&str>, most: Option<usize>) -> Result<(), String> {
    let programs: Vec<_> = program::collect(Path::new("corpus"))?
        .into_iter()
        .filter(|program| program.is_right() && program.files.len() == 1)
        // What hangs where nothing is buffered is no program in which nothing is to be found.
        .filter(|program| program.marks.iter().all(|mark| mark.kind != MarkKind::May))
        .collect();
    let subjects: Vec<Subject> = programs
        .iter()
        .map(|program| {
            let text =
                fs::read_to_string(&program.head).map_err(|error| format!("{}: {error}", program.name))?;
            let expectation = &program.expectation;
            Ok(Subject {
                name: program.name.clone(),
                text,
                flags: expectation.compile_flags.clone(),
                np: usize::try_from(expectation.np.near_four()).map_err(|error| error.to_string())?,
                runs: expectation.run.is_none(),
            })
        })
        .collect::<Result<_, String>>()?;
    let is_wanted = |subject: &Subject, mutant: &Mutant| {
        wanted.is_none_or(|wanted| subject.name.contains(wanted) || mutant.operator.contains(wanted))
    };
    // Runs mostly wait, and go on while others are analysed.
    let runs = Runs::new();
    let runners = ThreadPoolBuilder::new().num_threads(RUNNERS).build().map_err(|error| error.to_string())?;
    let (mutants, originals) = thread::scope(|scope| {
        let mutants = scope.spawn(|| runners.install(|| mutants_of(&subjects, &runs, is_wanted)));
        let originals: Result<Vec<Original>, String> = subjects
            .par_iter()
            .map(|subject| {
                let found = lint(subject, &subject.text)?;
                Ok(Original { rules: found.iter().map(|finding| finding.rule).collect() })
            })
            .collect();
        (joined(mutants), originals)
    });
    let (mut mutants, originals) = (mutants?, originals?);
    if let Some(most) = most {
        let chosen = sample(&mutants, |(_, mutant)| Some(mutant.operator), most);
        let mut index = 0..;
        mutants.retain(|_| index.next().is_some_and(|index| chosen.contains(&index)));
    }
    let can_run = |(subject, mutant): &(&Subject, Mutant)| subject.runs.then_some(mutant.operator);
    let runs_wanted = if wanted.is_some() || keep.is_some() { 0 } else { confirm::SAMPLE };
    let sample = sample(&mutants, can_run, runs_wanted);
    let (outcomes, shown) = thread::scope(|scope| {
        let shown = scope.spawn(|| {
            let show = |&index: &usize| {
                let (subject, mutant) = &mutants[index];
                Ok((index, runs.show(subject, &mutant.text)?))
            };
            runners.install(|| sample.par_iter().map(show).collect::<Result<Vec<_>, String>>())
        });
        let outcomes: Result<Vec<Outcome>, String> =
            mutants.par_iter().map(|(subject, mutant)| judge(subject, mutant, keep)).collect();
        (outcomes, joined(shown))
    });
    let mut outcomes = outcomes?;
    if wanted.is_some() || keep.is_some() {
        let found = outcomes.iter().filter(|outcome| outcome.score == Score::Found).count();
        println!("{}{found} of {}", page::misses(&outcomes), outcomes.len());
        return Ok(());
    }
    for (index, shown) in shown? {
        outcomes[index].shown = Some(shown);
    }
    runs.keep()?;
    let section = generated::section(generated::PROGRAMS)?;
    let page = page::page(&outcomes, &originals, most, &section);
    fs::write(PAGE, page).map_err(|error| format!("{PAGE}: {error}"))
}

/// Some of several mutants, by their changes: at most so many of each, spread evenly.
fn sample<T>(mutants: &[T], change: impl Fn(&T) -> Option<&'static str>, most: usize) -> BTreeSet<usize> {
    let mut of_kind: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        if let Some(change) = change(mutant) {
            of_kind.entry(change).or_default().push(index);
        }
    }
    let spread = |all: Vec<usize>| {
        let step = all.len().div_ceil(most.max(1)).max(1);
        all.into_iter().step_by(step).take(most)
    };
    of_kind.into_values().flat_map(spread).collect()
}

/// The result of a thread.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, Result<T, String>>) -> Result<T, String> {
    thread.join().map_err(|_| "a thread panicked".to_owned())?
}

/// The mutants that are wanted; only calls that a run of the right program executes are changed.
fn mutants_of<'s>(
    subjects: &'s [Subject],
    runs: &Runs,
    is_wanted: impl Fn(&Subject, &Mutant) -> bool + Sync,
) -> Result<Vec<(&'s Subject, Mutant)>, String> {
    let of_one = |subject: &'s Subject| -> Result<Vec<(&'s Subject, Mutant)>, String> {
        let Some(mut source) = Source::new(subject.text.clone()) else { return Ok(Vec::new()) };
        if !mutants::mutants(&source).iter().any(|mutant| is_wanted(subject, mutant)) {
            return Ok(Vec::new());
        }
        source.executed = runs.executed(subject, &source)?;
        let mutants = mutants::mutants(&source).into_iter();
        Ok(mutants.filter(|mutant| is_wanted(subject, mutant)).map(|mutant| (subject, mutant)).collect())
    };
    let all: Vec<_> = subjects.par_iter().map(of_one).collect::<Result<_, _>>()?;
    Ok(all.into_iter().flatten().collect())
}

/// What is found in a text, notes apart; that a wait is for nothing is one, but it is what a mutant is to show.
fn lint(subject: &Subject, text: &str) -> Result<Vec<Finding>, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("program.c");
    fs::write(&file, text).map_err(|error| error.to_string())?;
    let request = Request { jobs: Some(1), quiet: true, limits: LIMITS, ..Request::new(vec![file]) };
    let answer = session::analyse(&request).map_err(|failure| format!("{}: {failure}", subject.name))?;
    let mut findings = answer.outcome.findings;
    let counts =
        |finding: &Finding| finding.severity != Severity::Note || finding.rule == Rule::RequestNotActive;
    findings.retain(counts);
    Ok(findings)
}

fn judge(subject: &Subject, mutant: &Mutant, keep: Option<&str>) -> Result<Outcome, String> {
    let name = &subject.name;
    let found = lint(subject, &mutant.text)?;
    let expected = |finding: &Finding, anywhere: bool| {
        mutant
            .expected
            .iter()
            .position(|(rule, lines)| *rule == finding.rule && (anywhere || lines.have(finding.range.line)))
    };
    let best = |anywhere: bool| found.iter().filter_map(|finding| expected(finding, anywhere)).min();
    let first = mutant.expected.first().map(|(rule, _)| *rule).ok_or("a mutant without a defect")?;
    let (score, rule) = match (best(false), best(true)) {
        (Some(index), _) => (Score::Found, mutant.expected[index].0),
        (None, Some(index)) => (Score::Elsewhere, mutant.expected[index].0),
        (None, None) if found.is_empty() => (Score::Silent, first),
        (None, None) => (Score::Other, first),
    };
    let instead = found.iter().map(|finding| format!("{} in line {}", finding.rule, finding.range.line));
    if score != Score::Found
        && let Some(keep) = keep
    {
        let operator = mutant.operator.replace(' ', "_");
        let file = format!("{keep}/{}-{operator}-{}.c", name.replace('/', "_"), mutant.line);
        fs::write(&file, &mutant.text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(Outcome {
        program: name.clone(),
        operator: mutant.operator,
        line: mutant.line,
        rule,
        score,
        instead: instead.collect::<Vec<_>>().join(", "),
        shown: None,
    })
}
