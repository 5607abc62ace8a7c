//! A program of the corpus compiled and run under both MPIs, and its messages against those that anyrank claims.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use analyzer::results::Instance;

use super::messages;
use super::program::Program;
use super::settings::wanted;
use crate::held::{self, Key, all_runs};
use crate::mpi_run::{self, Mpi};

/// The text that makes and judges a run.
const HOW: [&str; 4] = [
    include_str!("runs.rs"),
    include_str!("messages.rs"),
    include_str!("../support/mpi_run.rs"),
    include_str!("../support/mpi_trace.rs"),
];

/// Numbers of processes of the real runs that every program is compared with.
const TRACED: [u64; 3] = [2, 3, 8];

/// Those of which each program gets one, by its name.
const ROTATING: RangeInclusive<u64> = 4..=7;

/// The compiled programs that the runs of one program share.
#[derive(Default)]
pub struct Runs {
    compiled: [OnceLock<Result<mpi_run::Program, String>>; 2],
}

/// Whether a program is run, and not only compiled.
pub fn is_run(program: &Program) -> bool {
    program.is_right() && program.expectation.run.is_none()
}

/// The real runs whose messages are compared. MPICH polls: it gets no more ranks than there are cores on a small machine.
pub fn traced(program: &Program) -> Vec<(Mpi, u64)> {
    let expectation = &program.expectation;
    if expectation.trace.is_some() {
        return Vec::new();
    }
    let numbers: BTreeSet<u64> = match (wanted("ANYRANK_TRACED"), all_runs()) {
        (Some(range), _) => range.collect(),
        (None, true) => (2..=8).collect(),
        (None, false) => {
            let some: Vec<u64> = ROTATING.filter(|&np| expectation.np.contains(np)).collect();
            let turn: usize = program.name.bytes().map(usize::from).sum();
            let own = (!some.is_empty()).then(|| some[turn % some.len()]);
            TRACED.into_iter().chain(own).collect()
        }
    };
    let numbers = numbers.into_iter().filter(|&np| expectation.np.contains(np));
    let by = |np: u64| if np == 2 { Mpi::Mpich } else { Mpi::OpenMpi };
    let mut runs: Vec<(Mpi, u64)> = numbers.map(|np| (by(np), np)).collect();
    if all_runs() && expectation.np.contains(2) {
        runs.push((Mpi::OpenMpi, 2));
    }
    runs
}

impl Runs {
    /// The program is compiled without a warning.
    pub fn compiles(&self, program: &Program, mpi: Mpi) -> Result<(), String> {
        checked(program, mpi, "compiles", || {
            if is_run(program) {
                return self.compiled(program, mpi).map(|_| ());
            }
            let (sources, flags) = sources_and_flags(program);
            mpi_run::compiles(mpi, &sources, &flags)
        })
    }

    /// The program runs to its end.
    pub fn ends(&self, program: &Program, mpi: Mpi) -> Result<(), String> {
        let np = program.expectation.np.near_four();
        let options = mpi_run::Options { trace: false, ..mpi_run::Options::default() };
        checked(program, mpi, ("runs", np), || self.run(program, mpi, np, options).map(|_| ()))
    }

    /// The messages of a run are those of `instance`; without one, it runs to its end.
    pub fn trace(
        &self,
        program: &Program,
        (mpi, np): (Mpi, u64),
        instance: Option<&Instance>,
    ) -> Result<(), String> {
        checked(program, mpi, ("trace", np, format!("{instance:?}")), || {
            let trace = self.run(program, mpi, np, mpi_run::Options::default())?.trace;
            // Where nothing is claimed nothing can be compared; that nothing is claimed is what the block at the head says.
            let Some(instance) = instance else { return Ok(()) };
            let differences = messages::compare(instance, &trace);
            if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
        })
    }

    fn compiled(&self, program: &Program, mpi: Mpi) -> Result<&mpi_run::Program, String> {
        let compiled = self.compiled[mpi as usize].get_or_init(|| {
            let (sources, flags) = sources_and_flags(program);
            mpi_run::compile(mpi, &sources, &flags)
        });
        compiled.as_ref().map_err(Clone::clone)
    }

    fn run(
        &self,
        program: &Program,
        mpi: Mpi,
        np: u64,
        options: mpi_run::Options<'_>,
    ) -> Result<mpi_run::Outcome, String> {
        let processes = usize::try_from(np).map_err(|error| error.to_string())?;
        let outcome = self.compiled(program, mpi)?.run(processes, options)?;
        if outcome.succeeded() {
            return Ok(outcome);
        }
        let how = outcome.status.map_or("did not end".to_owned(), |status| status.to_string());
        Err(format!("with {np} processes: {how}\n{}{}", outcome.stdout, outcome.stderr))
    }
}

fn sources_and_flags(program: &Program) -> (Vec<&Path>, Vec<&str>) {
    let mut flags = vec!["-std=c11", "-Wall", "-Wextra", "-Werror"];
    flags.extend(program.expectation.compile_flags.iter().map(String::as_str));
    (program.files.iter().map(PathBuf::as_path).collect(), flags)
}

/// Makes a check with this MPI unless nothing that it depends on has changed since it held.
fn checked(
    program: &Program,
    mpi: Mpi,
    what: impl Hash,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    let key = with_mpi(mpi)
        .and_files(Path::new(""), &program.files)
        .and(&program.expectation.compile_flags)
        .and(what);
    held::check(&key, make)
}

/// What all runs with this MPI depend on: compiler and launcher, the tracer, headers of the corpus.
fn with_mpi(mpi: Mpi) -> Key {
    static KEYS: [OnceLock<Key>; 2] = [OnceLock::new(), OnceLock::new()];
    let key = KEYS[mpi as usize].get_or_init(|| {
        Key::new(&HOW)
            .and_commands([mpi.mpicc(), mpi.launcher()])
            .and_files(Path::new(""), &held::files_below(Path::new("runtime/trace"), &["c", "h"]))
            .and_files(Path::new(""), &held::files_below(Path::new("corpus"), &["h"]))
    });
    key.clone()
}
