//! One program: compiled, run, analysed, and both compared.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use analyzer::results::{Instance, ProgramReport, VerdictKind};
use analyzer::{Options, analyze_program, engine};
use anyrank::session::{self, Request};
use frontend::program::Program;

use crate::messages;
use crate::mpi_run::mpi_trace::Trace;
use crate::mpi_run::{self, Mpi, compile};

/// How programs are compiled and read, and what they are linked with.
#[derive(Debug)]
pub(crate) struct Library {
    sources: Vec<PathBuf>,
    include: Vec<PathBuf>,
    define: Vec<String>,
    /// The compiled sources, by MPI.
    objects: Vec<(Mpi, Vec<PathBuf>)>,
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
            Self { sources: sources.to_vec(), include, define, objects: Vec::new(), lost: Vec::new() };
        for mpi in Mpi::ALL {
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
            library.objects.push((mpi, objects));
        }
        library
    }

    fn flags(&self) -> Vec<String> {
        let include = self.include.iter().map(|path| format!("-I{}", path.display()));
        include.chain(self.define.iter().map(|name| format!("-D{name}"))).collect()
    }
}

/// What came of a run.
#[derive(Debug)]
pub(crate) enum Comparison {
    /// Its messages and collectives are those claimed.
    Equal,
    /// What is different.
    Differs(Vec<String>),
    /// There is nothing to compare.
    Skipped(String),
}

/// What is known about a program.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// `None`: it was not analysed.
    pub(crate) verdict: Option<VerdictKind>,
    pub(crate) runs: Vec<(Mpi, u64, Comparison)>,
}

/// How programs are compared.
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) library: &'a Library,
    pub(crate) np: &'a [u64],
    pub(crate) time_limit: Duration,
    pub(crate) run_limit: Duration,
}

/// Of the thread that analyses.
const STACK_BYTES: usize = 64 << 20;

impl Subject<'_> {
    /// Builds, runs and analyses a program; `None` when it has no `main`.
    pub(crate) fn compare(&self, file: &Path, name: String) -> Option<Row> {
        let mut row = Row { name, verdict: None, runs: Vec::new() };
        let program = match self.load(file) {
            Ok(program) => program?,
            Err(message) => {
                row.skip_all(self.np, &message);
                return Some(row);
            }
        };
        let mut ran = Vec::new();
        for (mpi, objects) in &self.library.objects {
            let mut sources = vec![file];
            sources.extend(objects.iter().map(PathBuf::as_path));
            let flags = self.library.flags();
            let mut flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            flags.push("-w");
            let built = compile(*mpi, &sources, &flags).map_err(|said| first_error(&said));
            for &np in self.np {
                ran.push((*mpi, np, built.as_ref().map_err(Clone::clone).and_then(|p| self.run(p, np))));
            }
        }
        if ran.iter().all(|(_, _, trace)| trace.is_err()) {
            row.runs.extend(
                ran.into_iter()
                    .filter_map(|(mpi, np, trace)| Some((mpi, np, Comparison::Skipped(trace.err()?)))),
            );
            return Some(row);
        }
        let (verdict, claims) = self.claims(&program);
        row.verdict = verdict;
        for (mpi, np, trace) in ran {
            let claim = claims.iter().find(|(n, _)| *n == np).map(|(_, claim)| claim);
            let comparison = match (trace, claim) {
                (Err(reason), _) => Comparison::Skipped(reason),
                (_, None) => Comparison::Skipped("not analysed".to_owned()),
                (_, Some(Err(reason))) => Comparison::Skipped(format!("nothing claimed: {reason}")),
                (Ok(trace), Some(Ok(claim))) => claim.compare(mpi, &trace),
            };
            row.runs.push((mpi, np, comparison));
        }
        Some(row)
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

    fn run(&self, program: &mpi_run::Program, np: u64) -> Result<Trace, String> {
        let processes = usize::try_from(np).map_err(|error| error.to_string())?;
        let options = mpi_run::Options { time_limit: self.run_limit, ..mpi_run::Options::default() };
        let outcome = program.run(processes, options)?;
        match outcome.status {
            Some(status) if status.success() => Ok(outcome.trace),
            Some(status) => {
                let said = outcome.stderr.lines().chain(outcome.stdout.lines());
                let said = said.map(str::trim).find(|line| line.chars().any(char::is_alphabetic));
                Err(format!("{status}: {}", said.unwrap_or("it said nothing")))
            }
            None => Err(format!("did not end in {} s", self.run_limit.as_secs())),
        }
    }

    /// What anyrank claims for each number of processes, or why it claims nothing.
    fn claims(&self, program: &Program) -> (Option<VerdictKind>, Vec<(u64, Claim)>) {
        let work = || {
            let at = |np: u64| {
                let options =
                    Options { instance: Some(np), time_limit: self.time_limit, ..Options::default() };
                analyze_program(program, &options)
            };
            let mut first = self.np.first().map(|&np| at(np));
            let kind = first.as_ref().map(|report| report.verdict.kind);
            let mut claims = Vec::new();
            for &np in self.np {
                let report = match kind {
                    Some(VerdictKind::Exact) => first.take().unwrap_or_else(|| at(np)),
                    _ => engine::explore_at(program, np, self.time_limit),
                };
                claims.push((np, claim(report)));
            }
            (kind, claims)
        };
        let caught = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || catch_unwind(AssertUnwindSafe(work)));
            thread.ok()?.join().ok()?.ok()
        });
        caught.unwrap_or_else(|| {
            (None, self.np.iter().map(|&np| (np, Err("the analysis panicked".to_owned()))).collect())
        })
    }
}

/// What is claimed for a number of processes.
struct Claimed {
    instance: Instance,
    /// The MPI functions that communicate.
    operations: BTreeSet<String>,
}

type Claim = Result<Claimed, String>;

fn claim(report: ProgramReport) -> Claim {
    if report.verdict.kind == VerdictKind::Unknown {
        return Err(report.verdict.reasons.into_iter().next().unwrap_or_default());
    }
    let topology = report.topology;
    let channels = topology.channels.iter().flat_map(|channel| [&channel.send, &channel.recv]);
    let messages = channels.map(|site| site.operation.clone());
    let operations = messages.chain(topology.collectives.iter().map(|c| c.operation.clone())).collect();
    match topology.instance {
        Some(instance) => Ok(Claimed { instance, operations }),
        None => Err(match report.findings.first() {
            Some(finding) => format!("{}: {}", finding.rule.id(), finding.message),
            None => report.verdict.reasons.into_iter().next().unwrap_or_else(|| "no instance".to_owned()),
        }),
    }
}

impl Claimed {
    fn compare(&self, mpi: Mpi, trace: &Trace) -> Comparison {
        let seen = match mpi.traced() {
            Ok(seen) => seen,
            Err(error) => return Comparison::Skipped(error),
        };
        if let Some(unseen) = self.operations.iter().find(|operation| !seen.contains(*operation)) {
            return Comparison::Skipped(format!("the tracer does not see `{unseen}`"));
        }
        match messages::compare(&self.instance, trace) {
            differences if differences.is_empty() => Comparison::Equal,
            differences => Comparison::Differs(differences),
        }
    }
}

impl Row {
    fn skip_all(&mut self, np: &[u64], reason: &str) {
        for mpi in Mpi::ALL {
            self.runs.extend(np.iter().map(|&np| (mpi, np, Comparison::Skipped(reason.to_owned()))));
        }
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
