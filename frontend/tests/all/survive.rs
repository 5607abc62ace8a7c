//! No source makes the frontend panic: as it is, through the compiler's preprocessor, and with every include missing.
//!
//! Always on `corpus/`; `ANYRANK_SURVIVE_SOURCES=dir:dir` adds real sources, for example what `scripts/fetch-sources` brings.

use std::path::{Path, PathBuf};

use frontend::lower::{Options, lower};
use frontend::preprocess::{EngineChoice, Request, preprocess};
use frontend::programs::Programs;
use rayon::prelude::*;

fn c_files(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.is_symlink() {
            c_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

/// The text with its includes cut out, all but those of MPI.
fn without_includes(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let missing = |line: &str| line.trim_start().starts_with("#include") && !line.contains("mpi.h");
    let lines = text.lines().map(|line| if missing(line) { "#include \"nowhere/missing.h\"" } else { line });
    Some(lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn no_source_makes_the_frontend_panic() {
    let mut files = Vec::new();
    c_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus"), &mut files);
    assert!(!files.is_empty(), "the corpus is there");
    if let Some(more) = std::env::var_os("ANYRANK_SURVIVE_SOURCES") {
        std::env::split_paths(&more).for_each(|directory| c_files(&directory, &mut files));
    }
    let programs = Programs::outside([], &[]);
    let functions: usize = files
        .par_iter()
        .map(|path| {
            let plain = Request::new(path);
            let programs = programs.clone();
            let compiler = Request { engine: EngineChoice::Compiler, programs, ..Request::new(path) };
            let bare = without_includes(path).map(|text| Request::new(path).with_text(text));
            [Some(plain), Some(compiler), bare]
                .into_iter()
                .flatten()
                .filter_map(|request| preprocess(&request).ok())
                .map(|text| lower(path, text, &Options::default()).functions.len())
                .sum::<usize>()
        })
        .sum();
    println!("{} files, {functions} functions in three readings", files.len());
    assert!(files.len() <= functions, "hardly any function was read");
}
