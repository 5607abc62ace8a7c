//! One program: analysed, compiled, run, and both compared.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use analyzer::results::{Finding, Instance, ProgramReport, Severity, Verdict, VerdictKind};
use analyzer::rules::Rule;
use analyzer::{Options, analyze_program, engine};
use anyrank::session::{self, Request};
use effort::Limits;
use frontend::program::Program;
use serde::{Deserialize, Serialize};

use crate::messages;
use crate::mpi_run::mpi_trace::Trace;
use crate::mpi_run::{self, Mpi, compile};
use crate::test_list::Plan;

/// How programs are compiled and read, and what they are linked with.
#[derive(Debug)]
pub(crate) struct Library {
    sources: Vec<PathBuf>,
    include: Vec<PathBuf>,
    define: Vec<String>,
    /// The compiled sources, by MPI: an archive, of which a program gets what it needs.
    archives: Vec<(Mpi, PathBuf)>,
    /// Sources that could not be compiled.
    pub(crate) lost: Vec<(PathBuf, String)>,
}

impl Library {
    /// Compiles the files that all programs are linked with. What cannot be compiled is missed by those that need it.
    pub(crate) fn compile(
        sources: &[PathBuf],
        include: Vec<PathBuf>,
        define: Vec<String>,
        scratch: &Path,
    ) -> Self {
        let mut library =
            Self { sources: sources.to_vec(), include, define, archives: Vec::new(), lost: Vec::new() };
        for mpi in [Mpi::OpenMpi, Mpi::Mpich] {
            let mut objects = Vec::new();
            for (index, source) in sources.iter().enumerate() {
                let object = scratch.join(format!("{}-{index}.o", mpi.mpicc()));
                let mut command = Command::new(mpi.mpicc());
                command.args(["-g", "-O0", "-w"]).args(library.flags());
                let output = command.arg("-c").arg(source).arg("-o").arg(&object).output();
                match output {
                    Ok(output) if output.status.success() => objects.push(object),
                    Ok(output) => {
                        let said = String::from_utf8_lossy(&output.stderr).into_owned();
                        library.lost.push((source.clone(), first_error(&said)));
                    }
                    Err(error) => library.lost.push((source.clone(), error.to_string())),
                }
            }
            let archive = scratch.join(format!("{}.a", mpi.mpicc()));
            let made = Command::new("ar").arg("rcs").arg(&archive).args(objects).status();
            if !made.is_ok_and(|status| status.success()) {
                library.lost.push((archive.clone(), "`ar` failed".to_owned()));
            }
            library.archives.push((mpi, archive));
        }
        library
    }

    fn flags(&self) -> Vec<String> {
        let include = self.include.iter().map(|path| format!("-I{}", path.display()));
        include.chain(self.define.iter().map(|name| format!("-D{name}"))).collect()
    }
}

/// What came of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Comparison {
    /// Its messages and collectives are those claimed, so many.
    Equal { messages: usize, collectives: usize },
    /// Processes wait for ever, as claimed.
    Hangs(String),
    /// What is different.
    Differs(Vec<String>),
    /// There is nothing to compare with: why nothing is claimed.
    NotClaimed(String),
    /// There is nothing to compare: why there is no program, or no run to its end.
    NotRun(String),
}

/// A number of processes under one MPI, and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) mpi: Mpi,
    pub(crate) np: u64,
    pub(crate) outcome: Comparison,
}

/// What is known about a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) answer: Answer,
    pub(crate) runs: Vec<Run>,
}

/// How far anyrank decides about a program.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Answer {
    /// For which numbers of processes.
    Exact(String),
    /// For which numbers of processes.
    Bounded(String),
    /// Not: why. Such a program is not run.
    Open(String),
}

/// How programs are compared.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) library: &'a Library,
    /// Numbers of processes for all programs.
    pub(crate) np: &'a [u64],
    /// Other numbers, which an answer names, are taken up to this one.
    pub(crate) most: u64,
    /// Those that a list of tests names, up to this one.
    pub(crate) most_listed: u64,
    /// Processes that can run at the same time: with many more, MPICH's wait for each other's turn.
    pub(crate) cores: u64,
    pub(crate) limits: Limits,
    /// For all processes of a run, in GB.
    pub(crate) memory: f64,
    /// For a run that should end.
    pub(crate) run_limit: Duration,
    /// For a run that should not.
    pub(crate) hang_limit: Duration,
}

/// Of the thread that analyses.
const STACK_BYTES: usize = 64 << 20;

impl Subject<'_> {
    /// Analyses, builds and runs a program; `None` when it has no `main`.
    pub(crate) fn compare(&self, file: &Path, name: String, plan: &Plan) -> Option<Row> {
        let open = |name, why| Some(Row { name, answer: Answer::Open(why), runs: Vec::new() });
        let program = match self.load(file) {
            Ok(program) => program?,
            Err(message) => return open(name, message),
        };
        let Some((verdict, claims)) = self.claims(&program, plan) else {
            return open(name, "the analysis panicked".to_owned());
        };
        let answer = match verdict.kind {
            VerdictKind::Exact => Answer::Exact(verdict.np),
            VerdictKind::Bounded => Answer::Bounded(verdict.np),
            VerdictKind::Unknown => {
                return open(name, verdict.reasons.into_iter().next().unwrap_or_default());
            }
        };
        Some(Row { name, answer, runs: self.runs(file, plan, &claims) })
    }

    /// The program that begins in a file.
    fn load(&self, file: &Path) -> Result<Option<Program>, String> {
        let mut paths = vec![file.to_owned()];
        paths.extend(self.library.sources.iter().cloned());
        let request = Request {
            include: self.library.include.clone(),
            define: self.library.define.clone(),
            jobs: Some(1),
            ..Request::new(paths)
        };
        let programs = session::programs(&request).map_err(|failure| failure.to_string())?;
        Ok(programs.into_iter().find(|program| program.units[program.entry.unit].path == file))
    }

    /// The numbers of processes at which a program is looked at.
    fn numbers(&self, verdict: &Verdict, plan: &Plan) -> BTreeSet<u64> {
        let named = verdict.np.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok());
        let few = |most: u64| move |np: &u64| (2..=most).contains(np);
        let listed = plan.np.iter().copied().filter(few(self.most_listed));
        self.np.iter().copied().chain(listed).chain(named.filter(few(self.most))).collect()
    }

    /// How far the answer for any number of processes goes, and what is claimed for some; `None` after a panic.
    fn claims(&self, program: &Program, plan: &Plan) -> Option<(Verdict, Vec<(u64, Claims)>)> {
        let work = || {
            let any = |instance| {
                let options = Options { instance: Some(instance), limits: self.limits, ..Options::default() };
                analyze_program(program, &options)
            };
            let first = self.np.first().copied().unwrap_or(2);
            let report = any(first);
            let verdict = report.verdict.clone();
            if verdict.kind == VerdictKind::Unknown {
                return (verdict, Vec::new());
            }
            let mut claims = Vec::new();
            let mut report = Some(report);
            for np in self.numbers(&verdict, plan) {
                let explored = explored(engine::explore_at(program, np, self.limits));
                let report = if np == first { report.take() } else { None };
                let symbolic = (verdict.kind == VerdictKind::Exact)
                    .then(|| exchanged(report.unwrap_or_else(|| any(np))));
                claims.push((np, Claims { explored, symbolic }));
            }
            (verdict, claims)
        };
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || catch_unwind(AssertUnwindSafe(work)));
            thread.ok()?.join().ok()?.ok()
        })
    }

    /// All runs. With MPICH there are those only for which there are enough cores, and where Open MPI lacks what a program needs, those
    /// of a few processes.
    fn runs(&self, file: &Path, plan: &Plan, claims: &[(u64, Claims)]) -> Vec<Run> {
        let flags = self.library.flags();
        let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        flags.push("-w");
        let mut runs = Vec::new();
        let mut mpich_up_to = self.cores;
        for (mpi, archive) in &self.library.archives {
            let built = compile(*mpi, &[file, archive], &flags).map_err(|said| first_error(&said));
            if built.is_err() {
                mpich_up_to = mpich_up_to.max(self.np.iter().copied().max().unwrap_or_default());
            }
            for (np, claims) in claims {
                if *mpi == Mpi::Mpich && *np > mpich_up_to {
                    continue;
                }
                let outcome = match &built {
                    Ok(built) => self.run(*mpi, built, *np, plan, claims),
                    Err(why) => Comparison::NotRun(why.clone()),
                };
                runs.push(Run { mpi: *mpi, np: *np, outcome });
            }
        }
        runs
    }

    fn run(&self, mpi: Mpi, program: &mpi_run::Program, np: u64, plan: &Plan, claims: &Claims) -> Comparison {
        let claimed = match claims.all() {
            Ok(claimed) => claimed,
            Err(why) => return Comparison::NotClaimed(why),
        };
        if let Some(memory) = plan.memory.filter(|memory| *memory > self.memory) {
            return Comparison::NotRun(format!("takes {memory} GB of memory"));
        }
        let hang = claimed.iter().find_map(|claim| claim.hang.as_ref());
        let arguments: Vec<&str> = plan.arguments.iter().map(String::as_str).collect();
        let options = mpi_run::Options {
            arguments: &arguments,
            time_limit: if hang.is_some() { self.hang_limit } else { self.run_limit },
            ..mpi_run::Options::default()
        };
        let outcome = usize::try_from(np)
            .map_err(|error| error.to_string())
            .and_then(|processes| program.run(processes, options));
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(why) => return Comparison::NotRun(why),
        };
        // A test that ends with an error may have communicated all that it has to.
        let whole = outcome.trace.finalized as u64 == np;
        match (outcome.status, hang) {
            (None, Some(hang)) => Comparison::Hangs(hang.why.clone()),
            (None, None) => Comparison::NotRun(format!("did not end in {} s", self.run_limit.as_secs())),
            (Some(status), _) if !status.success() && !whole => {
                let said = outcome.stderr.lines().chain(outcome.stdout.lines());
                Comparison::NotRun(format!("{status}: {}", first_words(said)))
            }
            (Some(_), Some(Hang { why, certain: true })) => {
                Comparison::Differs(vec![format!("claimed: {why}, and it ended")])
            }
            (Some(_), _) => compare(mpi, &claimed, &outcome.trace),
        }
    }
}

/// The run of a program that ended against what is claimed for it.
fn compare(mpi: Mpi, claimed: &[&Claim], trace: &Trace) -> Comparison {
    if claimed.iter().all(|claim| claim.instance.is_none()) {
        return Comparison::NotClaimed("what is exchanged if it ends".to_owned());
    }
    let seen = match mpi.traced() {
        Ok(seen) => seen,
        Err(error) => return Comparison::NotRun(error),
    };
    let mut differences = Vec::new();
    for claim in claimed {
        if let Some(unseen) = claim.operations.iter().find(|operation| !seen.contains(*operation)) {
            return Comparison::NotRun(format!("the tracer does not see `{unseen}`"));
        }
        let Some(instance) = &claim.instance else { continue };
        for difference in messages::compare(instance, trace) {
            if !differences.contains(&difference) {
                differences.push(difference);
            }
        }
    }
    match differences.is_empty() {
        true => Comparison::Equal { messages: trace.messages.len(), collectives: trace.collectives.len() },
        false => Comparison::Differs(differences),
    }
}

/// What is claimed for a number of processes.
struct Claim {
    /// What is exchanged; not told of some that wait for ever.
    instance: Option<Instance>,
    /// The MPI functions that communicate.
    operations: BTreeSet<String>,
    hang: Option<Hang>,
}

/// That processes wait for ever.
struct Hang {
    /// The finding.
    why: String,
    /// An error, and not a warning.
    certain: bool,
}

/// What is claimed for a number of processes by an exploration of it, and, where the answer for any number is exact, by that; or why
/// nothing is.
struct Claims {
    explored: Result<Claim, String>,
    symbolic: Option<Result<Claim, String>>,
}

impl Claims {
    /// All that is claimed, if only by one of the two.
    fn all(&self) -> Result<Vec<&Claim>, String> {
        let symbolic = self.symbolic.as_ref().and_then(|claim| claim.as_ref().ok());
        match &self.explored {
            Ok(explored) => Ok([Some(explored), symbolic].into_iter().flatten().collect()),
            Err(why) => symbolic.map(|claim| vec![claim]).ok_or_else(|| why.clone()),
        }
    }
}

/// What an exploration of one number of processes claims.
fn explored(report: ProgramReport) -> Result<Claim, String> {
    use Rule::{CollectiveMismatch, Deadlock, MissingCollective, UnmatchedRecv};
    let is_hang = |finding: &&Finding| {
        matches!(finding.rule, Deadlock | UnmatchedRecv | MissingCollective | CollectiveMismatch)
            && finding.severity != Severity::Note
    };
    let worst = report.findings.iter().filter(is_hang).max_by_key(|finding| finding.severity);
    let hang = worst.map(|finding| Hang {
        why: format!("{}: {}", finding.rule.id(), finding.message),
        certain: finding.severity == Severity::Error,
    });
    match (exchanged(report), hang) {
        (Ok(claim), hang) => Ok(Claim { hang, ..claim }),
        (Err(_), Some(hang)) => Ok(Claim { instance: None, operations: BTreeSet::new(), hang: Some(hang) }),
        (Err(why), None) => Err(why),
    }
}

/// What is exchanged according to a report.
fn exchanged(report: ProgramReport) -> Result<Claim, String> {
    if report.verdict.kind == VerdictKind::Unknown {
        return Err(report.verdict.reasons.into_iter().next().unwrap_or_default());
    }
    let channels = report.topology.channels.iter().flat_map(|channel| [&channel.send, &channel.recv]);
    let messages = channels.map(|site| site.operation.clone());
    let collectives = report.topology.collectives.iter().map(|collective| collective.operation.clone());
    let operations = messages.chain(collectives).collect();
    match report.topology.instance {
        Some(instance) => Ok(Claim { instance: Some(instance), operations, hang: None }),
        None => Err("nothing is said of this number of processes".to_owned()),
    }
}

/// What a compiler complains of first.
fn first_error(said: &str) -> String {
    let is_error = |line: &&str| line.contains("error:") || line.contains("undefined reference");
    let line = said.lines().find(is_error).or_else(|| said.lines().next()).unwrap_or("no message");
    let message = line.split_once("error: ").map(|(_, message)| message);
    let undefined = line.find("undefined reference").map(|at| &line[at..]);
    format!("not built: {}", message.or(undefined).unwrap_or(line))
}

/// What a program said first that has words, without the process that said it.
fn first_words<'a>(said: impl Iterator<Item = &'a str>) -> &'a str {
    let without_origin = |line: &'a str| {
        let line = line.trim();
        line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, rest)| rest.trim())
    };
    let has_words = |line: &&str| line.chars().any(char::is_alphabetic);
    said.map(without_origin).find(has_words).unwrap_or("it said nothing")
}
