//! Exit codes.

use super::{RIGHT, directory, path, run, stderr, stdout, wrong};

#[test]
fn nothing_found_is_0() {
    // What each process gets is its own, so not even a collective is suggested.
    let program = RIGHT.replace("MPI_Send(&x", "x = i, MPI_Send(&x");
    let directory = directory(&[("a.c", program.as_bytes())]);
    let output = run(&["lint", &path(&directory, "a.c")]);
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("no findings\n"), "{}", stdout(&output));
}

#[test]
fn findings_are_1() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let output = run(&["lint", &path(&directory, "a.c")]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("error[invalid-tag]: ") && text.contains("a.c:14:"), "{text}");
}

#[test]
fn findings_that_are_not_asked_for_do_not_count() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let file = path(&directory, "a.c");
    for arguments in [["--ignore", "invalid-tag"], ["--select", "buffer-type,double-init"]] {
        let output = run(&["lint", &file, arguments[0], arguments[1]]);
        assert!(!stdout(&output).contains("invalid-tag"), "{arguments:?}: {}", stdout(&output));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stdout(&output));
    }
    let output = run(&["lint", &file, "--select", "invalid-tag"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn wrong_usage_is_2_and_names_the_way_out() {
    for (arguments, message) in [
        (vec!["lint", "no/such/file.c"], "no/such/file.c: no such file"),
        (vec!["topology", "no/such/file.c"], "no/such/file.c: no such file"),
        (vec!["lint", "--select", "invalid-tga", "corpus"], "did you mean `invalid-tag`?"),
        (vec!["explain", "unmatched-snd"], "did you mean `unmatched-send`?"),
        (vec!["lint", "--np", "0", "corpus"], "at least 1 process"),
        (vec!["topology"], "required arguments"),
        (vec!["lint", "--format", "xml"], "possible values: text, json"),
        (vec!["frobnicate"], "unrecognized subcommand"),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output).lines().filter(|line| line.contains("no such")).count(), 0);
    }
}
