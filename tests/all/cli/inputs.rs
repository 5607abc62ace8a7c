//! Inputs that are no C programs, or no files.

use std::fs;

use serde_json::Value;

use super::{RIGHT, array, directory, json, path, run, stderr, stdout, wrong};

/// Lints a directory with `name` = `content` beside a right and a wrong program, and returns the messages about `name`.
/// The wrong program has to be found all the same.
fn beside(name: &str, content: &[u8]) -> Vec<String> {
    let directory =
        directory(&[(name, content), ("right.c", RIGHT.as_bytes()), ("wrong/wrong.c", wrong().as_bytes())]);
    let output = run(&["lint", "--format", "json", directory.path().to_str().expect("UTF-8")]);
    stderr(&output);
    let report = json(&output);
    let rules: Vec<_> = array(&report, "findings").iter().map(|finding| &finding["rule"]).collect();
    assert!(rules.contains(&&Value::from("invalid-tag")), "{report}");
    assert!(array(&report, "programs").len() >= 2, "{report}");
    array(&report, "errors")
        .iter()
        .filter(|error| error["file"].as_str().is_some_and(|file| file.ends_with(name)))
        .map(|error| error["message"].as_str().expect("a message").to_owned())
        .collect()
}

/// Lints one file and returns the exit code and what was said on standard error.
fn alone(name: &str, content: &[u8]) -> (Option<i32>, String) {
    let directory = directory(&[(name, content)]);
    let output = run(&["lint", &path(&directory, name)]);
    (output.status.code(), stderr(&output))
}

#[test]
fn a_file_that_is_not_utf8_is_analysed() {
    let latin1 = RIGHT.replace("int rank", "/* caf\u{1} */ int rank").into_bytes();
    let latin1: Vec<u8> = latin1.into_iter().map(|byte| if byte == 1 { 0xe9 } else { byte }).collect();
    let (code, said) = alone("latin1.c", &latin1);
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn an_empty_file_is_no_error() {
    let (code, said) = alone("empty.c", b"");
    assert_eq!(code, Some(0), "{said}");
    beside("empty.c", b"");
}

#[test]
fn a_binary_file_gets_one_clear_message() {
    let binary: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let (code, said) = alone("binary.c", &binary);
    assert_eq!(code, Some(2));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("binary.c: ") && said.contains("binary file"), "{said}");
    assert_eq!(beside("binary.c", &binary).len(), 1);
}

#[test]
fn a_file_of_50_megabytes_gets_one_clear_message() {
    let huge = b"int a;\n".repeat(50_000_000 / 7 + 1);
    let (code, said) = alone("huge.c", &huge);
    assert_eq!(code, Some(2));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("huge.c: 50 MB"), "{said}");
    assert_eq!(beside("huge.c", &huge).len(), 1);
}

#[test]
fn a_missing_include_is_survived_and_reported_once() {
    let program = format!("#include \"no_such_header.h\"\n{}", wrong());
    let directory = directory(&[("a.c", program.as_bytes())]);
    let output = run(&["lint", &path(&directory, "a.c")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    assert_eq!(said.matches("no_such_header.h").count(), 1, "{said}");
    assert!(stdout(&output).contains("invalid-tag"));
}

#[test]
fn a_syntax_error_costs_its_function_only() {
    let program = format!("int broken(void) {{ if ( }}\n{}", wrong());
    let directory = directory(&[("a.c", program.as_bytes())]);
    let output = run(&["lint", &path(&directory, "a.c")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("a.c: line 1, "), "{}", stderr(&output));
    assert!(stdout(&output).contains("invalid-tag"));
}

#[test]
fn one_missing_file_does_not_stop_the_others() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let output = run(&["lint", "no/such/file.c", &path(&directory, "a.c")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such/file.c"));
    assert!(stdout(&output).contains("invalid-tag"));
}

#[test]
fn a_broken_compile_database_is_reported() {
    for broken in [&b"{ this is not json"[..], b"[{\"file\": 3}]", b"\xff\xfe\0", b""] {
        let directory = directory(&[("compile_commands.json", broken), ("a.c", wrong().as_bytes())]);
        let database = path(&directory, "compile_commands.json");
        let output = run(&["lint", "-p", &database, &path(&directory, "a.c")]);
        // The user named it, so it counts; the file is analysed all the same.
        assert_eq!(output.status.code(), Some(2), "{broken:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("compile_commands.json"), "{}", stderr(&output));
        assert!(stdout(&output).contains("invalid-tag"), "{broken:?}");
    }
}

#[test]
fn a_directory_that_may_not_be_read_is_reported() {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let directory = directory(&[("right.c", RIGHT.as_bytes()), ("closed/a.c", RIGHT.as_bytes())]);
        let closed = directory.path().join("closed");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("permissions can be set");
        let binding = fs::read_dir(&closed).is_err();
        let output = run(&["lint", "--format", "json", directory.path().to_str().expect("UTF-8")]);
        let direct = run(&["lint", closed.to_str().expect("UTF-8")]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).expect("permissions can be set");
        let report = json(&output);
        if binding {
            assert_eq!(array(&report, "errors").len(), 1, "{report}");
            assert_eq!(direct.status.code(), Some(2), "{}", stderr(&direct));
            assert!(stderr(&direct).contains("ermission denied"), "{}", stderr(&direct));
        } else {
            // Permission bits do not bind root: then the program in there is simply found.
            assert_eq!(array(&report, "programs").len(), 2, "{report}");
        }
        assert!(!array(&report, "programs").is_empty());
    }
}

#[test]
fn a_path_through_a_file_is_reported() {
    // Fails for every user, root included.
    let output = run(&["lint", "Cargo.toml/src"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("Cargo.toml/src"), "{}", stderr(&output));
}

#[test]
fn a_directory_without_c_files_says_so() {
    let directory = directory(&[("notes.txt", b"nothing to see")]);
    let output = run(&["lint", directory.path().to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no C files"), "{}", stderr(&output));
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let depth = 50_000;
    for (open, close) in [("(", ")"), ("{", "}"), ("-", ""), ("if(1)", "")] {
        let program = format!("int f(void) {{ {} 1; {} }}\n{RIGHT}", open.repeat(depth), close.repeat(depth));
        let directory = directory(&[("deep.c", program.as_bytes())]);
        let output = run(&["lint", &path(&directory, "deep.c")]);
        assert!(output.status.code().is_some_and(|code| code <= 2), "{open}: {output:?}");
        stderr(&output);
    }
}
