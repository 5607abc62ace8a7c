//! Where the results go, and in what order.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{RIGHT, anyrank, array, directory, json, path, run, stderr, stdout, wrong};

#[test]
fn a_file_is_written_whole_and_without_colours() {
    let directory = directory(&[("a.c", wrong().as_bytes()), ("out.txt", b"old")]);
    let (file, out) = (path(&directory, "a.c"), path(&directory, "out.txt"));
    let output = run(&["lint", &file, "-o", &out]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let written = fs::read_to_string(&out).expect("the file is there");
    assert!(written.starts_with("error[invalid-tag]") && !written.contains('\u{1b}'), "{written}");
    let names: Vec<_> = fs::read_dir(directory.path()).expect("readable").flatten().collect();
    assert_eq!(names.len(), 2, "no temporary file stays: {names:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_2() {
    let directory = directory(&[("a.c", RIGHT.as_bytes())]);
    let file = path(&directory, "a.c");
    for target in
        ["no/such/directory/out.txt", "Cargo.toml/out.txt", directory.path().to_str().expect("UTF-8")]
    {
        let output = run(&["lint", &file, "-o", target]);
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(stderr(&output).contains(&format!("cannot write {target}: ")), "{}", stderr(&output));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for arguments in [
        &["lint", "corpus/tag_mismatch.c"][..],
        &["explain", "unmatched-send"],
        &["completions", "bash"],
        &["man"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = anyrank().args(arguments).stdout(writer).stderr(Stdio::piped()).spawn();
        let output = child.and_then(std::process::Child::wait_with_output).expect("the command runs");
        stderr(&output);
        assert!(output.status.code().is_some_and(|code| code < 2), "{arguments:?}: {output:?}");
    }
}

#[test]
fn colours_are_on_when_asked_for() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let file = path(&directory, "a.c");
    assert!(!stdout(&run(&["lint", &file])).contains('\u{1b}'), "a pipe is no terminal");
    assert!(stdout(&run(&["lint", "--color", "always", &file])).contains('\u{1b}'));
    assert!(!stdout(&run(&["lint", "--color", "never", &file])).contains('\u{1b}'));
    let output = anyrank().args(["lint", &file]).env("CLICOLOR_FORCE", "1").output().expect("it starts");
    assert!(stdout(&output).contains('\u{1b}'));
    let output = anyrank().args(["lint", &file]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert!(!stdout(&output.expect("it starts")).contains('\u{1b}'));
}

/// Programs of different kinds that are analysed quickly.
const SEVERAL: [&str; 8] = [
    "corpus/fig1_mdcask.c",
    "corpus/fig2_exchange.c",
    "corpus/gather_linear.c",
    "corpus/halo_waitall.c",
    "corpus/ring.c",
    "corpus/split_halves.c",
    "corpus/tag_mismatch.c",
    "corpus/two_files",
];

#[test]
fn the_number_of_jobs_does_not_show() {
    let masked = |jobs: &str| {
        let mut report = json(&run(&[&["lint", "--format", "json", "-j", jobs][..], &SEVERAL].concat()));
        for program in report["programs"].as_array_mut().expect("an array") {
            program["seconds"] = Value::Null;
        }
        report
    };
    let one = masked("1");
    assert!(array(&one, "programs").len() > 4);
    assert_eq!(one, masked("2"));
    let text = |jobs: &str| stdout(&run(&[&["topology", "-j", jobs][..], &SEVERAL].concat()));
    assert_eq!(text("1"), text("3"));
}
