//! What holds of the sources as a whole.

use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose answers must not depend on time.
const TIMELESS: [&str; 7] =
    ["analyzer/src", "effort/src", "extraction/src", "hsm/src", "lattice/src", "model/src", "presburger/src"];

/// Words by which the time can be asked for, or something made to end after some.
const CLOCKS: [&str; 6] = ["Instant", "SystemTime", "elapsed", "ClockId", "timeout", "recv_deadline"];

/// Where the time is asked for all the same: for the seconds that reports tell, and for the nets of crate `effort` and of Z3.
const ALLOWED: [(&str, usize); 4] = [
    ("analyzer/src/engine/clients/proofs.rs", 3),
    ("analyzer/src/engine/mod.rs", 5),
    ("effort/src/lib.rs", 6),
    ("hsm/src/smt.rs", 1),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// No analysis decides by a clock: whoever needs a limit takes a budget of crate `effort`.
#[test]
fn no_analysis_looks_at_a_clock() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    TIMELESS.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(50 < files.len(), "{files:?}");
    let mut allowed = 0;
    for file in files {
        let name = file.strip_prefix(root).expect("it is below").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(&file).expect("it is text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let clocks: Vec<&str> =
            code.filter(|line| CLOCKS.iter().any(|clock| has_word(line, clock))).map(str::trim).collect();
        let most = ALLOWED.iter().find(|(allowed, _)| *allowed == name).map_or(0, |(_, lines)| *lines);
        assert!(clocks.len() <= most, "{name} asks for the time: {clocks:#?}");
        allowed += usize::from(0 < most && !clocks.is_empty());
    }
    assert_eq!(allowed, ALLOWED.len(), "a place that is allowed needs it no more");
}

/// Integer sets are asked of crate `presburger`, which knows what isl owns and when it has had enough.
#[test]
fn one_crate_calls_isl() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("it is there");
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
    let members = members.expect("the workspace has members").split(", ").map(|name| name.trim_matches('"'));
    let mut files = Vec::new();
    for member in members.chain([""]).filter(|member| *member != "presburger") {
        let folder = root.join(member).join("src");
        if folder.is_dir() {
            sources(&folder, &mut files);
        }
    }
    assert!(200 < files.len(), "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        assert!(!text.contains("isl_"), "{} calls isl", file.display());
    }
}

/// Whether a line has a word that is not part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        !is_part(line[..at].chars().next_back()) && !is_part(line[at + word.len()..].chars().next())
    })
}
