//! The frontend on the C sources of real MPI packages, against `cc -fsyntax-only` on the same files in the same run.
//!
//! `scripts/fetch-sources` puts the packages into `build/sources` (or `$ANYRANK_SOURCES`). Both sides work on one file
//! at a time in one thread and get the same include directories: all of the package that hold a header, and for `cc` that
//! of the MPI installed. Our time is preprocessing, parsing and lowering in this process, where headers are read once
//! for all files; `cc`'s includes starting it. The sources are not configured, and `cc` stops where a header is missing:
//! it gets an empty one for each header that we found missing, and the ratio is over the files that it then reads to the
//! end ("cc ends"), be it with errors. Functions count once per unit, those in headers too.
//!
//! `ANYRANK_BENCH_FILES=N` takes about N files of each package, evenly chosen; `ANYRANK_BENCH_SHOW=1` lists what is not
//! lowered in full.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use frontend::ir::{Callee, Function, InstKind, Unit};
use frontend::preprocess::{Diagnostic, DiagnosticKind, Request, preprocess};

/// A package, and what of it is looked at.
const PACKAGES: [(&str, &[&str]); 8] = [
    ("hypre", &[]),
    ("scalapack", &[]),
    ("p4est", &[]),
    ("scotch", &[]),
    ("pnetcdf", &[]),
    ("mrbayes", &[]),
    ("netpipe", &[]),
    ("mpich", &["/examples/", "/test/mpi/"]),
];

/// What is counted for one package or all of them.
#[derive(Default)]
struct Row {
    files: usize,
    unreadable: usize,
    functions: usize,
    whole: usize,
    mpi: usize,
    mpi_whole: usize,
    bytes: usize,
    ours: Duration,
    accepted: usize,
    ours_accepted: Duration,
    cc_accepted: Duration,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.files += other.files;
        self.unreadable += other.unreadable;
        self.functions += other.functions;
        self.whole += other.whole;
        self.mpi += other.mpi;
        self.mpi_whole += other.mpi_whole;
        self.bytes += other.bytes;
        self.ours += other.ours;
        self.accepted += other.accepted;
        self.ours_accepted += other.ours_accepted;
        self.cc_accepted += other.cc_accepted;
    }

    fn print(&self, name: &str) {
        let percent = |part: usize, of: usize| match of {
            0 => "-".to_owned(),
            _ => format!("{:.2} %", 100.0 * part as f64 / of as f64),
        };
        let ratio = match self.accepted {
            0 => "-".to_owned(),
            _ => format!("{:.2}", self.ours_accepted.as_secs_f64() / self.cc_accepted.as_secs_f64()),
        };
        println!(
            "{name:<10} {:>6} {:>9} {:>9} {:>9} {:>9} {:>7.1} {:>8.2} {:>8} {:>8}",
            self.files,
            self.functions,
            percent(self.whole, self.functions),
            self.mpi,
            percent(self.mpi_whole, self.mpi),
            self.bytes as f64 / 1e6 / self.ours.as_secs_f64().max(1e-9),
            self.ours.as_secs_f64(),
            self.accepted,
            ratio,
        );
    }
}

fn main() {
    // `cargo test` runs benches too, to see that they work; it wants no measurement.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let root = std::env::var_os("ANYRANK_SOURCES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("build/sources"), PathBuf::from);
    let most = std::env::var("ANYRANK_BENCH_FILES").ok().and_then(|n| n.parse().ok()).unwrap_or(usize::MAX);
    let mpi_includes = mpi_include_directories();
    println!(
        "{:<10} {:>6} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8} {:>8} {:>8}",
        "package",
        "files",
        "functions",
        "lowered",
        "with MPI",
        "lowered",
        "MB/s",
        "seconds",
        "cc ends",
        "ours/cc"
    );
    let mut total = Row::default();
    for (package, parts) in PACKAGES {
        let directory = root.join(package);
        if !directory.is_dir() {
            println!("{package:<10} not there: run scripts/fetch-sources {package}");
            continue;
        }
        let row = measure(&directory, parts, most, &mpi_includes);
        row.print(package);
        total.add(&row);
    }
    total.print("all");
    if total.unreadable > 0 {
        println!("{} files could not be read", total.unreadable);
    }
}

fn measure(directory: &Path, parts: &[&str], most: usize, mpi_includes: &[PathBuf]) -> Row {
    let mut sources = Vec::new();
    let mut headers = BTreeSet::new();
    walk(directory, &mut |path| match path.extension().and_then(|e| e.to_str()) {
        Some("c") => sources.push(path.to_owned()),
        Some("h") => headers.extend(path.parent().map(Path::to_owned)),
        _ => {}
    });
    let wanted = |path: &Path| {
        let path = format!("{}/", path.display());
        parts.is_empty() || parts.iter().any(|part| path.contains(part))
    };
    sources.retain(|path| wanted(path));
    headers.retain(|path| wanted(path));
    sources.sort();
    let step = sources.len().div_ceil(most.max(1)).max(1);
    let includes: Vec<PathBuf> = headers.into_iter().collect();
    let mut row = Row::default();
    for path in sources.iter().step_by(step) {
        row.files += 1;
        let start = Instant::now();
        let mut request = Request::new(path);
        request.includes = includes.clone();
        let Ok(source) = preprocess(&request) else {
            row.unreadable += 1;
            continue;
        };
        row.bytes += source.text.len();
        let missing: Vec<String> = source.diagnostics.iter().filter_map(missing_header).collect();
        // Kept to look for MPI calls in functions that were lost; not part of the measured work.
        let before = start.elapsed();
        let text = source.text.clone();
        let start = Instant::now();
        let unit = frontend::lower::lower(path, source, &frontend::lower::Options::default());
        let ours = before + start.elapsed();
        row.ours += ours;
        count(&unit, &text, &mut row);
        let stand_ins = stand_ins(&missing);
        if let Some(cc) = stand_ins.and_then(|empty| compile(path, &includes, mpi_includes, empty.path())) {
            row.accepted += 1;
            row.ours_accepted += ours;
            row.cc_accepted += cc;
        }
    }
    row
}

fn count(unit: &Unit, text: &str, row: &mut Row) {
    let show = std::env::var_os("ANYRANK_BENCH_SHOW").is_some();
    for function in &unit.functions {
        let (whole, mpi) = look(function, text);
        row.functions += 1;
        row.whole += usize::from(whole);
        row.mpi += usize::from(mpi);
        row.mpi_whole += usize::from(mpi && whole);
        if show && !whole {
            let place = unit.locate(function.name_span);
            println!("  {}:{}: {}{}", place.file, place.line, function.name, if mpi { " (MPI)" } else { "" });
        }
    }
}

/// Whether a function was lowered without a syntax error or an opaque statement, and whether it calls MPI.
fn look(function: &Function, text: &str) -> (bool, bool) {
    let Some(cfg) = &function.body else {
        let source = text.get(function.span.start as usize..function.span.end as usize).unwrap_or("");
        return (false, source.contains("MPI_"));
    };
    let (mut whole, mut mpi) = (true, false);
    for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
        match &inst.kind {
            InstKind::Opaque { .. } => whole = false,
            InstKind::Call { callee: Callee::Direct { mpi: Some(_), .. }, .. } => mpi = true,
            _ => {}
        }
    }
    (whole, mpi)
}

fn missing_header(diagnostic: &Diagnostic) -> Option<String> {
    match &diagnostic.kind {
        DiagnosticKind::MissingInclude { header } => Some(header.clone()),
        _ => None,
    }
}

/// A directory with an empty file for each header.
fn stand_ins(headers: &[String]) -> Option<tempfile::TempDir> {
    let directory = tempfile::tempdir().ok()?;
    for header in headers {
        let path = directory.path().join(header);
        // A name that leads out of the directory stays missing.
        if path.components().any(|c| c.as_os_str() == "..") {
            continue;
        }
        std::fs::create_dir_all(path.parent()?).ok()?;
        std::fs::write(path, "").ok()?;
    }
    Some(directory)
}

/// How long the compiler takes to check a file; `None` if it stops before the end.
fn compile(path: &Path, includes: &[PathBuf], mpi_includes: &[PathBuf], empty: &Path) -> Option<Duration> {
    let mut command = Command::new("cc");
    command.args(["-fsyntax-only", "-w", "-fno-diagnostics-show-caret", "-fdiagnostics-color=never"]);
    for include in includes.iter().chain(mpi_includes) {
        command.arg("-I").arg(include);
    }
    command.arg("-idirafter").arg(empty).arg(path);
    let start = Instant::now();
    let output = command.output().ok()?;
    let took = start.elapsed();
    (!String::from_utf8_lossy(&output.stderr).contains("fatal error")).then_some(took)
}

/// The include directories that the MPI compiler wrapper adds.
fn mpi_include_directories() -> Vec<PathBuf> {
    let Ok(output) = Command::new("mpicc").arg("-show").output() else { return Vec::new() };
    String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("-I"))
        .map(PathBuf::from)
        .collect()
}

/// All files below a directory; symbolic links are not followed.
fn walk(directory: &Path, visit: &mut impl FnMut(&Path)) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), visit),
            Ok(kind) if kind.is_file() => visit(&entry.path()),
            _ => {}
        }
    }
}
