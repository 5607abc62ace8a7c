//! What anyrank says about programs against real runs of them: `make real-runs` writes `docs/real-runs.md` with it.
//!
//!     cargo run --release --example real_runs -- DIRECTORY...
//!
//! Each C file with a `main` is compiled with MPICH and with Open MPI, run for a few numbers of processes with the tracer
//! preloaded, and the messages of each run are compared with those that anyrank claims for that number of processes: with
//! the symbolic answer where it is exact, and with an exploration where not. The comparison is the one that the tests of the
//! corpus make. A program that cannot be built or run is listed with the reason.

mod document;
mod subject;

#[path = "../../tests/harness/messages.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the corpus use more of it")]
mod messages;
#[path = "../../tests/support/mpi_run.rs"]
mod mpi_run;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;

use subject::{Library, Subject};

/// Compares what anyrank says about programs with real runs of them.
#[derive(Debug, Parser)]
struct Arguments {
    /// C files, and directories of which all C files are taken
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Numbers of processes
    #[arg(long, value_delimiter = ',', default_values_t = [2, 4])]
    np: Vec<u64>,
    /// A file that every program is linked with; may be repeated
    #[arg(long)]
    with: Vec<PathBuf>,
    /// A macro for compiler and analysis; may be repeated
    #[arg(short = 'D')]
    define: Vec<String>,
    /// A directory of headers for compiler and analysis; may be repeated
    #[arg(short = 'I')]
    include: Vec<PathBuf>,
    /// A header that configuring would make, taken to be empty; may be repeated
    #[arg(long)]
    empty_header: Vec<String>,
    /// Seconds for the analysis of a program, and for its exploration at one number of processes
    #[arg(long, default_value_t = 10)]
    time_limit: u64,
    /// Seconds for one run
    #[arg(long, default_value_t = 10)]
    run_limit: u64,
    /// What the programs' names are relative to
    #[arg(long, default_value = ".")]
    base: PathBuf,
    /// The document; printed if not given
    #[arg(short, long)]
    output: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    for header in &arguments.empty_header {
        let path = scratch.path().join(header);
        std::fs::write(&path, "").map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let mut include = arguments.include.clone();
    include.push(scratch.path().to_owned());
    let library = Library::compile(&arguments.with, include, arguments.define.clone(), scratch.path());
    let subject = Subject {
        library: &library,
        np: &arguments.np,
        time_limit: Duration::from_secs(arguments.time_limit),
        run_limit: Duration::from_secs(arguments.run_limit),
    };
    let mut rows = Vec::new();
    for file in files(&arguments.paths)? {
        let name = file.strip_prefix(&arguments.base).unwrap_or(&file).display().to_string();
        eprintln!("{name}");
        rows.extend(subject.compare(&file, name));
        // After each program: it takes long, and what is known should not be lost with the rest.
        if let Some(output) = &arguments.output {
            std::fs::write(output, document::document(&rows, &library))
                .map_err(|error| format!("{}: {error}", output.display()))?;
        }
    }
    if arguments.output.is_none() {
        print!("{}", document::document(&rows, &library));
    }
    Ok(())
}

/// The C files among and in some paths, by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let is_c = |path: &Path| path.extension().is_some_and(|extension| extension == "c");
    let mut files = Vec::new();
    for path in paths {
        if path.is_file() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut here: Vec<_> =
            entries.flatten().map(|entry| entry.path()).filter(|path| is_c(path)).collect();
        here.sort();
        files.extend(here);
    }
    Ok(files)
}
