//! What anyrank says about programs against real runs of them: `make real-runs` writes `docs/real-runs.md` with it.
//!
//!     cargo run --release --example real_runs -- DIRECTORY...
//!
//! Each C file with a `main` of which anyrank claims anything is compiled with Open MPI and with MPICH, run for a few numbers of
//! processes with the tracer preloaded, and the messages of each run are compared with those that anyrank claims for that number
//! of processes: with an exploration of it, and with the symbolic answer where it is exact. The comparison is the one that the
//! tests of the corpus make. A program that cannot be built or run is listed with the reason.
//!
//! What came of a program is kept, and the document is made of all that is kept: `--only` replaces the rows of some programs,
//! and what was interrupted goes on with `--missing`.

mod document;
mod subject;
mod test_list;

#[path = "../../tests/harness/messages.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the corpus use more of it")]
mod messages;
#[path = "../../tests/support/mpi_run.rs"]
mod mpi_run;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use effort::Limits;

use subject::{Library, Row, Subject};
use test_list::Plan;

/// Compares what anyrank says about programs with real runs of them.
#[derive(Debug, Parser)]
struct Arguments {
    /// C files, and directories of which all C files are taken
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Numbers of processes
    #[arg(long, value_delimiter = ',', default_values_t = [2, 3, 4])]
    np: Vec<u64>,
    /// Other numbers of processes, which an answer names, are taken up to this one
    #[arg(long, default_value_t = 12)]
    most: u64,
    /// Those that a list of tests names, up to this one
    #[arg(long, default_value_t = 8)]
    most_listed: u64,
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
    /// A program that takes more memory, in GB, is not run
    #[arg(long, default_value_t = 8.0)]
    memory: f64,
    /// Seconds for a run that should end
    #[arg(long, default_value_t = 60)]
    run_limit: u64,
    /// Seconds for a run of which anyrank says that it does not end
    #[arg(long, default_value_t = 10)]
    hang_limit: u64,
    /// What the programs' names are relative to
    #[arg(long, default_value = ".")]
    base: PathBuf,
    /// Look at this program only, as the document calls it; may be repeated
    #[arg(long)]
    only: Vec<String>,
    /// Look at the programs only of which nothing is kept
    #[arg(long)]
    missing: bool,
    /// Where what came of the programs is kept
    #[arg(long, default_value = "build/real-runs")]
    keep: PathBuf,
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
    // Some include such a header as `../header.h`.
    let below = scratch.path().join("below");
    std::fs::create_dir(&below).map_err(|error| format!("{}: {error}", below.display()))?;
    include.extend([scratch.path().to_owned(), below]);
    let library = Library::compile(&arguments.with, include, arguments.define.clone(), scratch.path());
    let subject = Subject {
        library: &library,
        np: &arguments.np,
        most: arguments.most,
        most_listed: arguments.most_listed,
        cores: std::thread::available_parallelism().map_or(1, NonZeroUsize::get) as u64,
        limits: Limits::within(Duration::from_secs(arguments.time_limit)),
        memory: arguments.memory,
        run_limit: Duration::from_secs(arguments.run_limit),
        hang_limit: Duration::from_secs(arguments.hang_limit),
    };
    let keep = &arguments.keep;
    std::fs::create_dir_all(keep).map_err(|error| format!("{}: {error}", keep.display()))?;
    // Places are named as programs are.
    let base = format!("{}/", arguments.base.display());
    let document = |rows: &[Row]| document::document(rows, &library).replace(&base, "");
    let mut rows = Vec::new();
    for file in files(&arguments.paths)? {
        let name = file.strip_prefix(&arguments.base).unwrap_or(&file).display().to_string();
        let kept = keep.join(format!("{}.json", name.replace('/', "-")));
        let named = arguments.only.is_empty() || arguments.only.contains(&name);
        let row = if named && !(arguments.missing && kept.exists()) {
            eprintln!("{name}");
            let row = subject.compare(&file, name, &plan(&file));
            save(&kept, row.as_ref())?;
            row
        } else {
            load(&kept)?
        };
        rows.extend(row);
        // After each program: it takes long, and what is known should not be lost with the rest.
        if let Some(output) = &arguments.output {
            std::fs::write(output, document(&rows))
                .map_err(|error| format!("{}: {error}", output.display()))?;
        }
    }
    if arguments.output.is_none() {
        print!("{}", document(&rows));
    }
    Ok(())
}

/// How the authors of a test run it.
fn plan(file: &Path) -> Plan {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let mut plans = test_list::read(file.parent().unwrap_or(Path::new(".")));
    plans.remove(name.as_ref()).unwrap_or_default()
}

/// Keeps what came of a file: no row where it has no `main`.
fn save(kept: &Path, row: Option<&Row>) -> Result<(), String> {
    let text = serde_json::to_vec_pretty(&row).map_err(|error| error.to_string())?;
    std::fs::write(kept, text).map_err(|error| format!("{}: {error}", kept.display()))
}

/// What is kept of a file; nothing if it was never looked at.
fn load(kept: &Path) -> Result<Option<Row>, String> {
    let Ok(text) = std::fs::read(kept) else { return Ok(None) };
    serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", kept.display()))
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
