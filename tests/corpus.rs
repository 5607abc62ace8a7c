//! Every program of `corpus/` against what it says about itself, see `corpus/README.md`.
//!
//! One test per program and aspect: `cargo test --test corpus fanout`, `cargo test --test corpus ::topology`.

#![allow(unreachable_pub, reason = "nothing is reachable from outside of a test program")]

mod harness;
#[path = "support/held.rs"]
mod held;
#[path = "support/mpi_run.rs"]
mod mpi_run;

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use analyzer::Without;
use analyzer::communication::decided;
use analyzer::results::{Finding, Instance, ProgramReport, Proved, Severity, Verdict, VerdictKind};
use anyrank::session::{self, Request};
use effort::{Budget, Limits};
use libtest_mimic::{Arguments, Failed, Trial};

use harness::program::{self, Program};
use harness::runs::{self, Runs};
use harness::settings::wanted;
use harness::{answer, finding_ranks, marks, messages};
use held::all_runs;
use mpi_run::Mpi;

/// The reason of an analysis that took too long.
const CUT: &str = "the time limit was reached";
/// Number of processes from which on an exploration need not end in time.
const MANY: u64 = 5;
/// Numbers of processes at which the symbolic answer is compared with an exploration of each process, unless
/// `ANYRANK_EXPLORED=FIRST..LAST` says others.
const EXPLORED: RangeInclusive<u64> = 1..=5;

/// Work of the explorations of a program, in seconds, after which those of [`MANY`] processes and more are left to
/// `ANYRANK_RUNS=all`, or to who names the numbers.
const ENOUGH: u64 = 1;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One that waits for a real run leaves its core to another.
    let threads = thread::available_parallelism().map_or(1, usize::from) + 1;
    arguments.test_threads = arguments.test_threads.or(Some(threads));
    match program::collect(Path::new("corpus")) {
        Ok(programs) => {
            let fixtures: Vec<_> =
                programs.into_iter().map(|program| Arc::new(Fixture::new(program))).collect();
            let conclusion = libtest_mimic::run(&arguments, ordered(&fixtures));
            print!("{}{}", times(), held::summary());
            conclusion.exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How long the tests of each aspect took, waiting for each other included, with the names of their programs.
static TIMES: Mutex<BTreeMap<String, Vec<(Duration, String)>>> = Mutex::new(BTreeMap::new());

/// The longest tests of an aspect that are named.
const LONGEST: usize = 5;

/// A line for each aspect, which `tools/testing_page.py` reads, and its longest tests.
fn times() -> String {
    let mut times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::new();
    for (aspect, times) in &mut *times {
        let all: Duration = times.iter().map(|(time, _)| *time).sum();
        text += &format!("aspect {aspect}: {} tests, {:.1} s\n", times.len(), all.as_secs_f64());
        times.sort_unstable_by(|a, b| b.cmp(a));
        for (time, program) in times.iter().take(LONGEST) {
            text += &format!("    {program}: {:.1} s\n", time.as_secs_f64());
        }
    }
    text
}

/// A program with what its tests share.
struct Fixture {
    program: Program,
    answer: OnceLock<Result<Answer, String>>,
    /// As the engine walks through it.
    programs: OnceLock<Result<Vec<frontend::program::Program>, String>>,
    explored: Mutex<BTreeMap<u64, Arc<Vec<ProgramReport>>>>,
    runs: Runs,
}

/// What anyrank says about a program, out of one analysis.
struct Answer {
    findings: Vec<Finding>,
    /// With the messages at each number of processes that a test looks at.
    report: ProgramReport,
}

impl Answer {
    /// The messages and collectives at this number of processes, if the answer holds for it.
    fn instance(&self, np: u64) -> Option<&Instance> {
        self.report.instances.iter().find(|instance| instance.np == np)
    }

    /// The least number of processes for which the answer is exact.
    fn first(&self) -> u64 {
        let digits = self.report.verdict.np.split_once(">= ").map_or("", |(_, rest)| rest);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().unwrap_or(1)
    }
}

/// All tests. Those of one program share an answer, and those that run together are not to wait for it together: analyses go
/// through the programs from the first to the last, real runs from the last to the first.
fn ordered(fixtures: &[Arc<Fixture>]) -> Vec<Trial> {
    let mut analyses = fixtures.iter().flat_map(analyses).fuse();
    let mut runs = fixtures.iter().rev().flat_map(runs).fuse();
    let mut trials = Vec::new();
    loop {
        let before = trials.len();
        trials.extend(analyses.next());
        trials.extend(runs.next());
        if trials.len() == before {
            return trials;
        }
    }
}

/// What anyrank says about a program, against what is expected of it and against itself.
fn analyses(fixture: &Arc<Fixture>) -> Vec<Trial> {
    let mut trials = vec![
        fixture.trial("findings", Fixture::findings),
        fixture.trial("topology", Fixture::topology),
        fixture.trial("exploration", Fixture::exploration),
    ];
    // A quarter of the programs, another one with each commit.
    if all_runs() || held::is_turn_of(&fixture.program.name, 4) {
        trials.push(fixture.trial("model", Fixture::model));
    }
    if !fixture.program.marks.is_empty() {
        trials.push(fixture.trial("ranks", Fixture::ranks));
    }
    if cfg!(feature = "z3") {
        trials.push(fixture.trial("without-z3", Fixture::without_z3));
    }
    trials
}

/// A program compiled and run, and its messages against what anyrank says.
fn runs(fixture: &Arc<Fixture>) -> Vec<Trial> {
    let compiles = |mpi: Mpi| {
        fixture
            .trial(mpi.mpicc().replace('.', "-"), move |fixture| fixture.runs.compiles(&fixture.program, mpi))
    };
    let mut trials: Vec<Trial> = Mpi::ALL.into_iter().map(compiles).collect();
    if !runs::is_run(&fixture.program) {
        return trials;
    }
    let traced = runs::traced(&fixture.program);
    for mpi in Mpi::ALL {
        // A run that is traced is a run.
        if all_runs() || traced.iter().all(|(traced_by, _)| *traced_by != mpi) {
            let name = mpi.mpicc().replace("mpicc.", "run-");
            trials.push(fixture.trial(name, move |fixture| fixture.runs.ends(&fixture.program, mpi)));
        }
    }
    for (mpi, np) in traced {
        let name = match mpi {
            Mpi::OpenMpi => format!("trace-np{np}"),
            Mpi::Mpich => format!("trace-mpich-np{np}"),
        };
        trials.push(fixture.trial(name, move |fixture| fixture.trace(mpi, np)));
    }
    trials
}

impl Fixture {
    fn new(program: Program) -> Self {
        Self {
            program,
            answer: OnceLock::new(),
            programs: OnceLock::new(),
            explored: Mutex::default(),
            runs: Runs::default(),
        }
    }

    fn trial(
        self: &Arc<Self>,
        aspect: impl Into<String>,
        check: impl FnOnce(&Self) -> Result<(), String> + Send + 'static,
    ) -> Trial {
        let (fixture, aspect) = (Arc::clone(self), aspect.into());
        Trial::test(format!("{}::{aspect}", self.program.name), move || {
            let start = Instant::now();
            let result = check(&fixture)
                .map_err(|message| Failed::from(format!("\n{}:\n{message}", fixture.program.sentence)));
            let mut times = TIMES.lock().unwrap_or_else(PoisonError::into_inner);
            times.entry(aspect).or_default().push((start.elapsed(), fixture.program.name.clone()));
            result
        })
    }

    /// What anyrank says about the program, without what `choose` leaves out of the request.
    fn analyse(&self, choose: impl FnOnce(&mut Request)) -> Result<Answer, String> {
        let mut request = Request { jobs: Some(1), ..Request::new(self.program.files.clone()) };
        choose(&mut request);
        let mut outcome = session::analyse(&request).map_err(|failure| failure.to_string())?.outcome;
        if !outcome.errors.is_empty() {
            let errors = outcome.errors.iter().map(|error| format!("{}: {}", error.file, error.message));
            return Err(errors.collect::<Vec<_>>().join("\n"));
        }
        match (outcome.programs.pop(), outcome.programs.len()) {
            (Some(report), 0) => Ok(Answer { findings: outcome.findings, report }),
            (_, more) => Err(format!("{} programs where one was expected", more + 1)),
        }
    }

    /// The answer that all tests of the program share.
    fn answer(&self) -> Result<&Answer, String> {
        let answer = self.answer.get_or_init(|| {
            let explored = wanted("ANYRANK_EXPLORED").unwrap_or(EXPLORED);
            let traced = runs::traced(&self.program).into_iter().map(|(_, np)| np);
            let mut instances: Vec<u64> = explored.chain(traced).collect();
            instances.sort_unstable();
            instances.dedup();
            self.analyse(|request| {
                request.proofs = true;
                request.is_checked = true;
                request.instances = instances;
            })
        });
        answer.as_ref().map_err(Clone::clone)
    }

    fn findings(&self) -> Result<(), String> {
        let differences = marks::compare(&self.program.marks, &self.answer()?.findings);
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
    }

    /// The answer is the one that is expected, and no match in it is contradicted where it is proved once more.
    fn topology(&self) -> Result<(), String> {
        let report = &self.answer()?.report;
        let mut proofs = report.proofs.iter().flatten();
        if let Some(wrong) = proofs.find(|proof| proof.proved == Proved::Refuted) {
            return Err(format!("contradicted: {wrong:#?}"));
        }
        let actual = answer::lines(report, &self.program.places);
        let expected = &self.program.expectation.answer;
        // How far a search comes within the time limit depends on the machine; that it ends there must not look exact.
        let is_cut = |lines: &[String]| lines.iter().any(|line| line.contains(CUT));
        let is_exact = |lines: &[String]| lines.iter().any(|line| line.starts_with("verdict: exact"));
        if *expected == actual || (is_cut(expected) && !is_exact(&actual)) {
            return Ok(());
        }
        let head = &self.program.head;
        if std::env::var_os("ANYRANK_BLESS").is_some_and(|value| value == "1") {
            let text = fs::read_to_string(head).map_err(|error| error.to_string())?;
            let blessed = self.program.expectation.bless(&text, &actual);
            return fs::write(head, blessed).map_err(|error| error.to_string());
        }
        Err(format!(
            "{} expects\n  {}\nbut the answer is\n  {}\nANYRANK_BLESS=1 writes it down",
            head.display(),
            expected.join("\n  "),
            actual.join("\n  ")
        ))
    }

    /// How far the answer goes does not depend on Z3.
    fn without_z3(&self) -> Result<(), String> {
        let report = &self.answer()?.report;
        if report.questions == 0 && !all_runs() {
            // Nothing was asked that Z3 could have had a part in.
            return Ok(());
        }
        let with: &Verdict = &report.verdict;
        let without = self.analyse(|request| {
            request.unit_rules = false;
            request.without = Some(Without::Z3);
        })?;
        let without = without.report.verdict;
        let same = (with.kind, &with.np) == (without.kind, &without.np);
        if same { Ok(()) } else { Err(format!("with Z3 {with:?}\nwithout {without:?}")) }
    }

    /// What the exploration of each process shows at this number of processes.
    fn explored_at(&self, np: u64) -> Result<Arc<Vec<ProgramReport>>, String> {
        // Tests of one program may wait for each other here: they ask for the same.
        let mut explored = self.explored.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = explored.get(&np) {
            return Ok(Arc::clone(known));
        }
        let programs = self.programs()?;
        let is_told = finding_ranks::COMPARED.contains(&np) && !self.program.marks.is_empty();
        let limit = || Limits::of_seconds(if MANY <= np && !is_told { 2 } else { 10 });
        let runs =
            programs.iter().map(|program| analyzer::engine::explore_at(program, np, limit())).collect();
        Ok(Arc::clone(explored.entry(np).or_insert(Arc::new(runs))))
    }

    fn programs(&self) -> Result<&[frontend::program::Program], String> {
        let programs = self.programs.get_or_init(|| {
            let request = Request { jobs: Some(1), ..Request::new(self.program.files.clone()) };
            session::programs(&request).map_err(|failure| failure.to_string())
        });
        programs.as_ref().map(Vec::as_slice).map_err(Clone::clone)
    }

    /// Where the symbolic analysis has an answer, an exploration process by process has the same.
    fn exploration(&self) -> Result<(), String> {
        let answer = self.answer()?;
        if answer.report.verdict.kind != VerdictKind::Exact {
            return Ok(());
        }
        // An exploration need not know what the model knows.
        if answer.report.is_by_model {
            return self.model();
        }
        let (named, usual) = (wanted("ANYRANK_EXPLORED"), EXPLORED);
        let all = named.is_some() || all_runs();
        let numbers = named.unwrap_or(usual);
        let is_asked = |np: &u64| answer.first() <= *np && self.program.expectation.np.contains(*np);
        let mut spent = 0;
        for np in numbers.filter(is_asked) {
            if MANY <= np && spent > ENOUGH * Limits::RATE && !all {
                return Ok(());
            }
            let symbolic = answer.instance(np);
            for run in self.explored_at(np)?.iter() {
                spent += run.work;
                // Receives from any source have more orders than time allows where there are many processes.
                if run.verdict.kind == VerdictKind::Unknown && MANY <= np {
                    return Ok(());
                }
                // The symbolic answer leaves out the numbers of processes at which a partner is no rank.
                if symbolic.is_none() && !run.findings.is_empty() {
                    continue;
                }
                let explored = run.topology.instance.as_ref();
                if let (Some(claimed), Some(found)) = (symbolic, explored)
                    && messages::is_answered_by(found, claimed)
                {
                    continue;
                }
                if explored != symbolic && !(explored.is_none() && messages::depends_on_input(symbolic)) {
                    let why = &run.verdict.reasons;
                    return Err(format!("np = {np}\nsymbolic {symbolic:?}\nexplored {explored:?} {why:?}"));
                }
            }
        }
        Ok(())
    }

    /// Where the model has an answer for any number of processes, an exploration process by process has the same.
    fn model(&self) -> Result<(), String> {
        let programs = self.programs()?;
        let [program] = programs else { return Ok(()) };
        let Some(decided) = decided(program, Budget::begin(Limits::default())) else { return Ok(()) };
        for np in EXPLORED {
            let runs = self.explored_at(np)?;
            let [run] = runs.as_slice() else { continue };
            // The model is only told of communication: a program that breaks a rule elsewhere ends there.
            let breaks = run.findings.iter().any(|finding| finding.severity == Severity::Error);
            if let Some(instance) = &run.topology.instance
                && run.verdict.kind != VerdictKind::Unknown
                && !breaks
            {
                decided.compare(instance)?;
            }
        }
        Ok(())
    }

    /// For which numbers of processes and on which ranks findings are reported, explorations process by process show, too.
    fn ranks(&self) -> Result<(), String> {
        let answer = self.answer()?;
        let decided = |np: &u64| finding_ranks::is_decided(&answer.report.verdict, *np);
        let mut runs = Vec::new();
        for np in finding_ranks::COMPARED.filter(decided) {
            runs.push((np, self.explored_at(np)?));
        }
        let differences = finding_ranks::compare(&answer.findings, &runs);
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
    }

    /// The messages of a real run are those of the topology.
    fn trace(&self, mpi: Mpi, np: u64) -> Result<(), String> {
        let answer = self.answer()?;
        let of_list = answer.instance(np).cloned();
        let instance = match answer.report.verdict.kind {
            // One that the general answer leaves out is explored.
            VerdictKind::Exact if of_list.is_none() => {
                self.analyse(|request| request.instance = Some(np))?.report.topology.instance
            }
            _ => of_list,
        };
        self.runs.trace(&self.program, (mpi, np), instance.as_ref())
    }
}
