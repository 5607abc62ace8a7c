//! Checks by compilers and real runs that held before, and would be the same again.
//!
//! What a check depends on is its key: the programs and the headers that are compiled, the compiler and the MPI, the text of the tests
//! that make and judge it, and what the outcome is compared with. A check that held is not made again as long as its key is the same; one
//! that failed always is. Keys of this machine are in the build directory, those of the last whole run in `tests/held.txt`, which
//! `make held` writes. `ANYRANK_RUNS=all` makes every check, and one of [`PARTS`] parts of them is made each time: which one is
//! `ANYRANK_PART`, a hexadecimal number that `scripts/test` takes from the commit.
//!
//! `#[path = "support/held.rs"] mod held;` where a test program needs it.

#![allow(dead_code, reason = "each test program uses its part of this module")]

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The keys of the last whole run.
const KEPT: &str = include_str!("../held.txt");

/// Parts of the checks, one of which is made although they held.
pub(crate) const PARTS: u64 = 32;

/// The keys of the checks that held, and how many were made here, or not.
pub(crate) struct Held {
    known: BTreeSet<u64>,
    /// The part that is made although it held.
    part: u64,
    made: usize,
    skipped: usize,
}

impl Held {
    /// Out of lists of keys, a line each; other lines are none.
    pub(crate) fn of(lists: &[&str], part: u64) -> Self {
        let lines = lists.iter().flat_map(|list| list.lines());
        let known = lines.filter_map(|line| u64::from_str_radix(line, 16).ok()).collect();
        Self { known, part: part % PARTS, made: 0, skipped: 0 }
    }

    /// Whether a check is to be made.
    pub(crate) fn is_due(&self, key: u64) -> bool {
        key % PARTS == self.part || !self.known.contains(&key)
    }
}

static HELD: Mutex<Option<Held>> = Mutex::new(None);

fn with<R>(use_it: impl FnOnce(&mut Held) -> R) -> R {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    use_it(held.get_or_insert_with(|| {
        // A file that cannot be read is one without keys: every check is made.
        let own = fs::read_to_string(own_list()).unwrap_or_default();
        Held::of(&[&own, KEPT], part())
    }))
}

fn part() -> u64 {
    let part = std::env::var("ANYRANK_PART").ok().and_then(|part| u64::from_str_radix(&part, 16).ok());
    part.unwrap_or(0)
}

/// The keys of this machine.
fn own_list() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("anyrank-held.txt")
}

/// Whether every check is asked for: `ANYRANK_RUNS=all`.
pub(crate) fn all_runs() -> bool {
    std::env::var_os("ANYRANK_RUNS").is_some_and(|value| value == "all")
}

/// Whether something that is looked at by turns, by its name, is looked at this time: one of so many turns, which come with
/// `ANYRANK_PART`, or all of them.
pub(crate) fn is_turn_of(name: &str, turns: u64) -> bool {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    all_runs() || hasher.finish() % turns == part() % turns
}

/// A line about the checks that were not made again, if there are any.
pub(crate) fn summary() -> String {
    let (made, skipped) = with(|held| (held.made, held.skipped));
    if skipped == 0 {
        return String::new();
    }
    format!(
        "compilers and real runs: {made} checks made; {skipped} not, since nothing has changed since they held (ANYRANK_RUNS=all makes them)\n"
    )
}

/// Makes a check, unless it held before with the same key.
pub(crate) fn check<E>(key: &Key, make: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let key = key.number();
    let is_made = with(|held| {
        let is_made = all_runs() || held.is_due(key);
        *(if is_made { &mut held.made } else { &mut held.skipped }) += 1;
        is_made
    });
    if is_made {
        make()?;
    }
    with(|held| {
        if held.known.insert(key) {
            write_down(&own_list(), key);
        }
        if let Some(list) = std::env::var_os("ANYRANK_HELD") {
            write_down(Path::new(&list), key);
        }
    });
    Ok(())
}

/// The same for a check that panics where it does not hold.
pub(crate) fn check_by_panic(key: &Key, make: impl FnOnce()) {
    let held: Result<(), Infallible> = check(key, || {
        make();
        Ok(())
    });
    held.unwrap_or_else(|never| match never {});
}

/// Adds a key to a list. One that cannot be written down is made again next time.
fn write_down(list: &Path, key: u64) {
    let file = OpenOptions::new().create(true).append(true).open(list);
    let _ = file.and_then(|mut file| file.write_all(format!("{key:016x}\n").as_bytes()));
}

/// What a check depends on.
#[derive(Clone, Default)]
pub(crate) struct Key(DefaultHasher);

impl Key {
    /// Of nothing yet but how it is made and judged: texts of the tests.
    pub(crate) fn new(how: &[&str]) -> Self {
        Self::default().and(how)
    }

    /// As a number.
    pub(crate) fn number(&self) -> u64 {
        self.0.finish()
    }

    /// Depends on a value, too.
    #[must_use]
    pub(crate) fn and(mut self, what: impl Hash) -> Self {
        what.hash(&mut self.0);
        self
    }

    /// Depends on files, too; `root` is where they are in this clone.
    #[must_use]
    pub(crate) fn and_files<'a>(self, root: &Path, files: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        files
            .into_iter()
            .fold(self, |key, path| key.and((path.strip_prefix(root).unwrap_or(path), fs::read(path).ok())))
    }

    /// Depends on the versions of commands, too.
    #[must_use]
    pub(crate) fn and_commands<C: AsRef<str>>(self, commands: impl IntoIterator<Item = C>) -> Self {
        commands.into_iter().fold(self, |key, command| key.and(version(command.as_ref())))
    }
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

/// The files below a directory that end in one of these ways, in order: those that a compiler reads, say, and not what explains them.
pub(crate) fn files_below(directory: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|own| extensions.iter().any(|wanted| own == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
