//! Checks by compilers and real runs that held before, and would be the same again.
//!
//! What a run depends on is its key: the text of the program and of its headers, the compiler and the MPI, the tracer, how it is run, and
//! what it is compared with. A check that held is not made again as long as its key is the same; one that failed always is. The keys are
//! in the build directory, so that the first run of a fresh clone makes every check, as does `ANYRANK_RUNS=all`.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::program::Program;

/// The text that makes and judges a run.
const HOW: [&str; 4] = [
    include_str!("../corpus.rs"),
    include_str!("../support/mpi_run.rs"),
    include_str!("../support/mpi_trace.rs"),
    include_str!("messages.rs"),
];

/// The keys of the checks that held, and of those that were asked for in this run.
struct Held {
    path: PathBuf,
    known: BTreeSet<u64>,
    skipped: usize,
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);

fn with<R>(use_it: impl FnOnce(&mut Held) -> R) -> R {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    use_it(held.get_or_insert_with(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("anyrank-held.txt");
        // A file that cannot be read is one without keys: every check is made.
        let text = fs::read_to_string(&path).unwrap_or_default();
        let known = text.lines().filter_map(|line| u64::from_str_radix(line, 16).ok()).collect();
        Held { path, known, skipped: 0 }
    }))
}

/// A line about the checks that were not made again, if there are any.
pub fn summary() -> String {
    match with(|held| held.skipped) {
        0 => String::new(),
        skipped => {
            format!(
                "not made again, nothing has changed since they held: {skipped} (ANYRANK_RUNS=all makes them)\n"
            )
        }
    }
}

/// Makes a check, unless it held before with the same key. `again` makes it in any case.
pub fn check(key: u64, again: bool, make: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    if !again && with(|held| held.known.contains(&key).then(|| held.skipped += 1)).is_some() {
        return Ok(());
    }
    make()?;
    with(|held| {
        if held.known.insert(key) {
            let file = OpenOptions::new().create(true).append(true).open(&held.path);
            // One that cannot be written down is made again next time.
            let _ = file.and_then(|mut file| file.write_all(format!("{key:016x}\n").as_bytes()));
        }
    });
    Ok(())
}

/// The key of a check of a program by `compiler`, which belongs to `launcher`; `what` tells which check it is.
pub fn key(program: &Program, (compiler, launcher): (&str, &str), what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    HOW.hash(&mut hasher);
    tracer().hash(&mut hasher);
    for command in [compiler, launcher] {
        version(command).hash(&mut hasher);
    }
    for path in program.files.iter().chain(headers()) {
        (path, fs::read(path).ok()).hash(&mut hasher);
    }
    program.expectation.compile_flags.hash(&mut hasher);
    what.hash(&mut hasher);
    hasher.finish()
}

/// The text of the tracer.
fn tracer() -> &'static [Vec<u8>] {
    static TEXT: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    TEXT.get_or_init(|| {
        let mut files: Vec<PathBuf> = entries(Path::new("runtime/trace"));
        files.retain(|path| path.is_file());
        files.iter().filter_map(|path| fs::read(path).ok()).collect()
    })
}

/// Headers of the corpus.
fn headers() -> &'static [PathBuf] {
    static PATHS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let mut found = Vec::new();
        let mut left = vec![PathBuf::from("corpus")];
        while let Some(directory) = left.pop() {
            for path in entries(&directory) {
                if path.is_dir() {
                    left.push(path);
                } else if path.extension().is_none_or(|extension| extension != "c") {
                    found.push(path);
                }
            }
        }
        found
    })
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(directory)
        .map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

/// What a command says of itself.
fn version(command: &str) -> Vec<u8> {
    static KNOWN: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, version)) = known.iter().find(|(name, _)| name == command) {
        return version.clone();
    }
    let output = Command::new(command).arg("--version").output();
    let version = output.map(|output| output.stdout).unwrap_or_default();
    known.push((command.to_owned(), version.clone()));
    version
}
