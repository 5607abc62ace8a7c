//! What anyrank says about real programs: `make real-programs` writes `docs/real-programs.md` with it.
//!
//!     scripts/fetch-sources $(cargo run --example real_programs -- --names)
//!     cargo run --release --example real_programs
//!
//! Each package is analysed by a process of its own with a limit on its time and its memory, so that a package that
//! breaks anyrank costs no more than its own rows. Where such a process dies, or needs much memory, the entry points of
//! the package are analysed one by one to find out which it was.
//!
//! What is found out about a package is kept, and the document is made of all that is kept: `--only` replaces the rows
//! of some packages, and what was interrupted goes on with `--missing`.

mod child;
mod judgements;
mod packages;
mod reasons;
mod survey;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;

use packages::{PACKAGES, Package};
use survey::Report;

/// Analyses the source packages that scripts/fetch-sources unpacks, and writes a Markdown document about them.
#[derive(Debug, Parser)]
struct Arguments {
    /// The command
    #[arg(long, default_value = "target/release/anyrank")]
    anyrank: PathBuf,
    /// Where the packages are, one directory for each
    #[arg(long, default_value = "build/sources")]
    sources: PathBuf,
    /// `--time-limit` of the command: seconds for one entry point
    #[arg(long, default_value_t = 10)]
    time_limit: u64,
    /// Seconds for one package, or for one entry point by itself
    #[arg(long, default_value_t = 3600)]
    outer_limit: u64,
    /// Address space of one process, in GiB
    #[arg(long, default_value_t = 8)]
    memory: u64,
    /// `-j` of the command
    #[arg(short, long, default_value_t = 2)]
    jobs: usize,
    /// Analyse this package only; may be repeated
    #[arg(long)]
    only: Vec<String>,
    /// Analyse the packages only of which nothing is kept
    #[arg(long)]
    missing: bool,
    /// Where what is found out about the packages is kept
    #[arg(long, default_value = "build/real-programs")]
    keep: PathBuf,
    /// The document
    #[arg(short, long, default_value = "docs/real-programs.md")]
    output: PathBuf,
    /// Print the names of the source packages, and do nothing else
    #[arg(long)]
    names: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.names {
        let names: Vec<_> = PACKAGES.iter().map(|package| package.name).collect();
        println!("{}", names.join(" "));
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let absolute = |path: &Path| {
        path.canonicalize().map_err(|error| {
            format!("{}: {error}; build the command and run scripts/fetch-sources first", path.display())
        })
    };
    let surveyor = survey::Surveyor {
        anyrank: absolute(&arguments.anyrank)?,
        sources: absolute(&arguments.sources)?,
        time_limit: arguments.time_limit,
        jobs: arguments.jobs,
        limits: child::Limits { seconds: arguments.outer_limit, bytes: arguments.memory << 30 },
    };
    if let Some(unknown) = arguments.only.iter().find(|name| PACKAGES.iter().all(|p| p.name != **name)) {
        return Err(format!("there is no package {unknown} in examples/real_programs/packages.rs"));
    }
    let keep = &arguments.keep;
    std::fs::create_dir_all(keep).map_err(|error| format!("{}: {error}", keep.display()))?;
    let mut reports: BTreeMap<&str, Report> = PACKAGES
        .iter()
        .filter_map(|package| Some((package.name, Report::load(&kept(keep, package))?)))
        .collect();
    let wanted = |package: &&Package| {
        let named = arguments.only.is_empty() || arguments.only.iter().any(|name| name == package.name);
        named && !(arguments.missing && kept(keep, package).exists())
    };
    for package in PACKAGES.iter().filter(wanted) {
        eprintln!("{}", package.name);
        let report = surveyor.survey(package);
        let file = kept(keep, package);
        report.save(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        reports.insert(package.name, report);
        // After each package: it takes long, and what is known should not be lost with the rest.
        write_document(&reports, arguments)?;
    }
    write_document(&reports, arguments)
}

fn kept(directory: &Path, package: &Package) -> PathBuf {
    directory.join(format!("{}.json", package.name))
}

fn write_document(reports: &BTreeMap<&str, Report>, arguments: &Arguments) -> Result<(), String> {
    let reports: Vec<(&'static Package, &Report)> =
        PACKAGES.iter().filter_map(|package| Some((package, reports.get(package.name)?))).collect();
    let document = table::document(&reports);
    let output = &arguments.output;
    std::fs::write(output, document).map_err(|error| format!("{}: {error}", output.display()))
}
