//! C programs with the library, as users compile and run them.

use std::path::Path;
use std::process::Command;

/// Compiles and runs a program of this crate with the library of that file name; returns what it printed.
fn run(program: &str, compiler: &[&str], library: &str) -> String {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    let executable = directory.path().join("program");
    // Cargo builds the library for these tests in all its forms, and puts them beside them.
    let tests = std::env::current_exe().expect("this program has a path");
    let libraries = tests.parent().expect("it is in a directory");
    let output = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-o"])
        .arg(&executable)
        .arg(crate_dir.join(program))
        .arg("-I")
        .arg(crate_dir.join("include"))
        .arg(libraries.join(library))
        .args(["-lpthread", "-ldl", "-lm"])
        .output()
        .expect("there is a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&executable).env("LD_LIBRARY_PATH", libraries).output().expect("it was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{:?}\n{text}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

const C11: &[&str] = &["cc", "-std=gnu11"];

#[test]
fn example_sends_a_side_of_a_grid() {
    let expected = "\
120 bytes of data, extent 624
at once    104/104.75/-500 114/114.75/-510 124/124.75/-520 134/134.75/-530 144/144.75/-540 154/154.75/-550
in pieces  104/104.75/-500 114/114.75/-510 124/124.75/-520 134/134.75/-530 144/144.75/-540 154/154.75/-550
by runs    104/104.75/-500 114/114.75/-510 124/124.75/-520 134/134.75/-530 144/144.75/-540 154/154.75/-550
";
    for library in ["libanyrank_layout.a", "libanyrank_layout.so"] {
        assert_eq!(run("examples/halo.c", C11, library), expected);
    }
}

#[test]
fn bad_arguments_write_nothing() {
    run("tests/bad_arguments.c", C11, "libanyrank_layout.a");
}
