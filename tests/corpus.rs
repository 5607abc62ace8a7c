//! Every program of `corpus/` against what it says about itself, see `corpus/README.md`.
//!
//! One test per program and aspect: `cargo test --test corpus fanout`, `cargo test --test corpus ::topology`.

#![allow(unreachable_pub, reason = "nothing is reachable from outside of a test program")]

mod harness;
#[path = "support/mpi_run.rs"]
mod mpi_run;

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use analyzer::NpChoice;
use analyzer::results::{Instance, ProgramReport, Proved, VerdictKind};
use anyrank::session::{self, Request};
use libtest_mimic::{Arguments, Failed, Trial};
use report::Outcome;

use harness::program::{self, Program};
use harness::{answer, marks, messages};
use mpi_run::{Mpi, compile};

/// The reason of an analysis that took too long.
const CUT: &str = "the time limit was reached";
/// Number of processes from which on an exploration need not end in time.
const MANY: u64 = 6;
/// Numbers of processes at which the symbolic answer is compared with an exploration of each process, unless
/// `ANYRANK_EXPLORED=FIRST..LAST` says others.
const EXPLORED: std::ops::RangeInclusive<u64> = 1..=16;

/// Numbers of processes that are traced, unless `ANYRANK_TRACED=FIRST..LAST` says others.
const TRACED: std::ops::RangeInclusive<u64> = 2..=8;

/// The numbers of processes that a variable of the environment names.
fn wanted(variable: &str, otherwise: std::ops::RangeInclusive<u64>) -> std::ops::RangeInclusive<u64> {
    let wanted = std::env::var(variable).ok();
    let ends = wanted.as_deref().and_then(|wanted| wanted.split_once(".."));
    let range = ends.and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
    assert!(wanted.is_none() || range.is_some(), "{variable} is to be FIRST..LAST, {wanted:?} is not");
    range.unwrap_or(otherwise)
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    match program::collect(Path::new("corpus")) {
        Ok(programs) => {
            let trials = programs.into_iter().flat_map(|program| trials(Arc::new(Fixture::new(program))));
            libtest_mimic::run(&arguments, trials.collect()).exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A program with what its tests share.
struct Fixture {
    program: Program,
    compiled: [OnceLock<Result<mpi_run::Program, String>>; 2],
}

fn trials(fixture: Arc<Fixture>) -> Vec<Trial> {
    let mut trials = vec![
        fixture.trial("findings", Fixture::findings),
        fixture.trial("topology", Fixture::topology),
        fixture.trial("exploration", Fixture::exploration),
    ];
    let expectation = &fixture.program.expectation;
    for mpi in Mpi::ALL {
        trials.push(
            fixture.trial(mpi.mpicc().replace('.', "-"), move |fixture| fixture.compiled(mpi).map(|_| ())),
        );
        if fixture.program.is_right() && expectation.run.is_none() {
            let name = mpi.mpicc().replace("mpicc.", "run-");
            trials.push(fixture.trial(name, move |fixture| fixture.runs(mpi)));
        }
    }
    if fixture.program.is_right() && expectation.run.is_none() && expectation.trace.is_none() {
        for np in wanted("ANYRANK_TRACED", TRACED).filter(|&np| expectation.np.contains(np)) {
            trials.push(fixture.trial(format!("trace-np{np}"), move |fixture| fixture.trace(np)));
        }
    }
    trials
}

impl Fixture {
    fn new(program: Program) -> Self {
        Self { program, compiled: [OnceLock::new(), OnceLock::new()] }
    }

    fn trial(
        self: &Arc<Self>,
        aspect: impl Display,
        check: impl FnOnce(&Self) -> Result<(), String> + Send + 'static,
    ) -> Trial {
        let fixture = Arc::clone(self);
        Trial::test(format!("{}::{aspect}", self.program.name), move || {
            check(&fixture).map_err(|message| Failed::from(format!("\n{message}")))
        })
    }

    /// What anyrank says about the program.
    fn analyse(&self, np: NpChoice, instance: Option<u64>) -> Result<Outcome, String> {
        let files = self.program.files.clone();
        let request = Request { np, instance, proofs: true, jobs: Some(1), ..Request::new(files) };
        let answer = session::analyse(&request).map_err(|failure| failure.to_string())?;
        if answer.outcome.errors.is_empty() {
            return Ok(answer.outcome);
        }
        let errors = answer.outcome.errors.iter().map(|error| format!("{}: {}", error.file, error.message));
        Err(errors.collect::<Vec<_>>().join("\n"))
    }

    fn report(&self, instance: Option<u64>) -> Result<ProgramReport, String> {
        let mut outcome = self.analyse(NpChoice::Any, instance)?;
        match (outcome.programs.pop(), outcome.programs.len()) {
            (Some(program), 0) => Ok(program),
            (_, more) => Err(format!("{} programs where one was expected", more + 1)),
        }
    }

    fn findings(&self) -> Result<(), String> {
        let outcome = self.analyse(NpChoice::Any, None)?;
        let differences = marks::compare(&self.program.marks, &outcome.findings);
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
    }

    /// The answer is the one that is expected, and no match in it is contradicted where it is proved once more.
    fn topology(&self) -> Result<(), String> {
        let report = self.report(None)?;
        let mut proofs = report.proofs.iter().flatten();
        if let Some(wrong) = proofs.find(|proof| proof.proved == Proved::Refuted) {
            return Err(format!("contradicted: {wrong:#?}"));
        }
        let actual = answer::lines(&report, &self.program.places);
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

    /// Where the symbolic analysis has an answer, an exploration process by process has the same.
    fn exploration(&self) -> Result<(), String> {
        let request = Request { jobs: Some(1), ..Request::new(self.program.files.clone()) };
        let programs = session::programs(&request).map_err(|failure| failure.to_string())?;
        for np in wanted("ANYRANK_EXPLORED", EXPLORED).filter(|&np| self.program.expectation.np.contains(np))
        {
            let symbolic = self.report(Some(np))?;
            if symbolic.verdict.kind != VerdictKind::Exact {
                return Ok(());
            }
            let symbolic = symbolic.topology.instance;
            for program in &programs {
                let limit = if MANY <= np { Request::TIME_LIMIT / 5 } else { Request::TIME_LIMIT };
                let run = analyzer::engine::explore_at(program, np, limit);
                // Receives from any source have more orders than time allows where there are many processes.
                if run.verdict.kind == VerdictKind::Unknown && MANY <= np {
                    return Ok(());
                }
                // The symbolic answer leaves out the numbers of processes at which a partner is no rank.
                if symbolic.is_none() && !run.findings.is_empty() {
                    continue;
                }
                let explored = run.topology.instance;
                if let (Some(claimed), Some(found)) = (&symbolic, &explored)
                    && messages::is_answered_by(found, claimed)
                {
                    continue;
                }
                if explored != symbolic && !(explored.is_none() && messages::depends_on_input(&symbolic)) {
                    return Err(format!("np = {np}\nsymbolic {symbolic:?}\nexplored {explored:?}"));
                }
            }
        }
        Ok(())
    }

    fn compiled(&self, mpi: Mpi) -> Result<&mpi_run::Program, String> {
        let compiled = self.compiled[mpi as usize].get_or_init(|| {
            let sources: Vec<&Path> = self.program.files.iter().map(PathBuf::as_path).collect();
            let mut flags = vec!["-std=c11", "-Wall", "-Wextra", "-Werror"];
            flags.extend(self.program.expectation.compile_flags.iter().map(String::as_str));
            compile(mpi, &sources, &flags)
        });
        compiled.as_ref().map_err(Clone::clone)
    }

    fn runs(&self, mpi: Mpi) -> Result<(), String> {
        let np = self.program.expectation.np.near_four();
        let options = mpi_run::Options { trace: false, ..mpi_run::Options::default() };
        self.run(mpi, np, options).map(|_| ())
    }

    fn run(&self, mpi: Mpi, np: u64, options: mpi_run::Options<'_>) -> Result<mpi_run::Outcome, String> {
        let processes = usize::try_from(np).map_err(|error| error.to_string())?;
        let outcome = self.compiled(mpi)?.run(processes, options)?;
        if outcome.succeeded() {
            return Ok(outcome);
        }
        let how = outcome.status.map_or("did not end".to_owned(), |status| status.to_string());
        Err(format!("with {np} processes: {how}\n{}{}", outcome.stdout, outcome.stderr))
    }

    /// The messages of a real run are those of the topology.
    fn trace(&self, np: u64) -> Result<(), String> {
        let program = self.report(Some(np))?;
        // Where nothing is claimed nothing can be compared; that nothing is claimed is what the block at the head says.
        let Some(instance): Option<Instance> = program.topology.instance else { return Ok(()) };
        let trace = self.run(Mpi::OpenMpi, np, mpi_run::Options::default())?.trace;
        let differences = messages::compare(&instance, &trace);
        if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
    }
}
