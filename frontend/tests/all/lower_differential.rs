//! The lowering against a C compiler: a program prints the same and ends the same, compiled and interpreted.

mod generator;
mod interpreter;

use std::path::Path;
use std::process::Command;

use crate::support;

/// Output and exit status of a text, compiled by the system's compiler.
fn compiled(directory: &Path, name: &str, text: &str) -> (String, i32) {
    let source = directory.join(format!("{name}.c"));
    let binary = directory.join(name);
    std::fs::write(&source, text).expect("a temporary file");
    let built = Command::new("cc")
        .args(["-std=gnu11", "-O0", "-fwrapv", "-fno-strict-aliasing", "-w", "-o"])
        .arg(&binary)
        .arg(&source)
        .output()
        .expect("a C compiler");
    assert!(built.status.success(), "{name}: {}\n{text}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(&binary).output().expect("the program runs");
    (String::from_utf8_lossy(&run.stdout).into_owned(), run.status.code().expect("no signal"))
}

fn compare(directory: &Path, name: &str, text: &str) {
    let expected = compiled(directory, name, text);
    let unit = support::unit(text);
    assert!(unit.problems.is_empty(), "{name}: {:?}\n{text}", unit.problems);
    let actual = interpreter::run(&unit);
    assert_eq!(
        (actual.output, actual.status),
        expected,
        "{name}\n{text}\n{}",
        frontend::ir::dump::unit(&unit)
    );
}

#[test]
fn handwritten_programs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut count = 0;
    let mut paths: Vec<_> =
        std::fs::read_dir(programs).expect("the programs").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        compare(directory.path(), &name, &text);
        count += 1;
    }
    assert!(count >= 10, "only {count} programs");
}

#[test]
fn generated_programs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let count = std::env::var("ANYRANK_GENERATED").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let first = std::env::var("ANYRANK_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for seed in first..first + count {
        compare(directory.path(), &format!("generated{seed}"), &generator::program(seed));
    }
}
