//! The command as scripts see it: exit codes, streams, JSON, and what it does with inputs that are no C programs.

use std::fs;
use std::process::{Command, Output, Stdio};

use expect_test::expect;
use serde_json::Value;
use tempfile::TempDir;

/// The command, ready to be given arguments. It runs in the repository, so that paths such as `corpus/x.c` work.
fn anyrank() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    anyrank().args(arguments).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8")
}

/// What the command said on standard error, after a check that it did not crash.
fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("standard error is UTF-8");
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{text}");
    text
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)))
}

/// Checks the field names of an object. (Their order is seen in the pictures of crate `report`.)
#[track_caller]
fn has_fields<const N: usize>(value: &Value, mut names: [&str; N]) {
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    names.sort_unstable();
    assert_eq!(keys, names);
}

fn array<'a>(value: &'a Value, field: &str) -> &'a Vec<Value> {
    value[field].as_array().unwrap_or_else(|| panic!("{field} is an array in {value}"))
}

/// A directory with these files.
fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("files have parents")).expect("directories can be made");
        fs::write(path, content).expect("files can be written");
    }
    directory
}

fn path(directory: &TempDir, name: &str) -> String {
    directory.path().join(name).to_str().expect("temporary paths are UTF-8").to_owned()
}

/// Two processes, an exchange, nothing wrong; any number of processes.
const RIGHT: &str = "\
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    if (rank == 0) {
        for (int i = 1; i < np; i++)
            MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
";

/// The same with a tag that no MPI library accepts, in line 14.
fn wrong() -> String {
    let call = "    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD);\n";
    RIGHT.replace("    MPI_Finalize();", &format!("{call}    MPI_Finalize();"))
}

// ---- exit codes ----------------------------------------------------------------------------------------------------

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

// ---- JSON ----------------------------------------------------------------------------------------------------------

#[test]
fn lint_json_has_the_contracted_fields() {
    let output = run(&["lint", "--format", "json", "corpus/datatype_mismatch.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let report = json(&output);
    has_fields(&report, ["schema", "findings", "programs", "errors"]);
    assert_eq!(report["schema"], 1);
    assert!(array(&report, "errors").is_empty());
    let findings = array(&report, "findings");
    assert!(!findings.is_empty());
    for finding in findings {
        has_fields(
            finding,
            [
                "rule",
                "severity",
                "message",
                "file",
                "line",
                "column",
                "end_line",
                "end_column",
                "np",
                "ranks",
                "related",
                "fix",
            ],
        );
        assert_eq!(finding["file"], "corpus/datatype_mismatch.c");
        assert!(["note", "warning", "error"].contains(&finding["severity"].as_str().expect("a string")));
        for field in ["line", "column", "end_line", "end_column"] {
            assert!(finding[field].as_u64().is_some_and(|number| number > 0), "{field}: {finding}");
        }
        for related in array(finding, "related") {
            has_fields(related, ["file", "line", "message"]);
        }
        if !finding["fix"].is_null() {
            has_fields(&finding["fix"], ["description", "edits"]);
        }
    }
    let programs = array(&report, "programs");
    assert_eq!(programs.len(), 1);
    has_fields(&programs[0], ["entry", "verdict", "seconds"]);
    assert_eq!(programs[0]["entry"], "corpus/datatype_mismatch.c");
    has_fields(&programs[0]["verdict"], ["kind", "np", "assumptions", "reasons"]);
    assert!(programs[0]["seconds"].as_f64().is_some_and(|seconds| 0.0 <= seconds));
}

/// The orders in which the root may receive are too many to follow them all, and none of them matters.
#[test]
fn unsafe_sends_show_in_one_of_many_orders() {
    let output = run(&["lint", "--np", "8", "--format", "json", "corpus/unsafe_after_gather.c"]);
    let report = json(&output);
    let rules: Vec<&Value> = array(&report, "findings").iter().map(|finding| &finding["rule"]).collect();
    assert_eq!(rules, ["unsafe-send"]);
}

#[test]
fn topology_json_has_the_contracted_fields() {
    let output = run(&["topology", "--format", "json", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    has_fields(&report, ["schema", "programs", "errors"]);
    let program = &array(&report, "programs")[0];
    has_fields(program, ["entry", "verdict", "channels", "collectives", "patterns"]);
    assert_eq!(program["verdict"]["kind"], "exact");
    let channels = array(program, "channels");
    assert_eq!(channels.len(), 1);
    has_fields(
        &channels[0],
        [
            "send",
            "recv",
            "senders",
            "partner",
            "receivers",
            "source",
            "communicator",
            "tag",
            "count",
            "datatype",
            "repeat",
        ],
    );
    for (side, operation) in [("send", "MPI_Send"), ("recv", "MPI_Recv")] {
        has_fields(&channels[0][side], ["file", "line", "column", "function", "operation"]);
        assert_eq!(channels[0][side]["operation"], operation);
        assert_eq!(channels[0][side]["function"], "main");
    }
    assert_eq!(channels[0]["datatype"], "MPI_INT");
}

#[test]
fn a_number_of_processes_at_which_the_program_ends_early_is_told() {
    let verdict = |np: &str| {
        let output = run(&["topology", "--format", "json", "--np", np, "corpus/hypercube_bits.c"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)["programs"][0]["verdict"].clone()
    };
    let early = serde_json::json!(["every path ends the program early (np = 3)"]);
    for (np, kind, answered, reasons) in [
        ("3", "unknown", "any np >= 1", &early),
        ("3,8", "exact", "8", &early),
        ("8", "exact", "8", &serde_json::json!([])),
    ] {
        let verdict = verdict(np);
        assert_eq!(verdict["kind"], kind, "{verdict}");
        assert_eq!(verdict["np"], answered, "{verdict}");
        assert_eq!(&verdict["reasons"], reasons, "{verdict}");
    }
}

#[test]
fn topology_json_with_np_has_an_instance() {
    let output = run(&["topology", "--format", "json", "--np", "4", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    let instance = &array(&report, "programs")[0]["instance"];
    has_fields(instance, ["np", "messages", "collectives"]);
    assert_eq!(instance["np"], 4);
    let messages = array(instance, "messages");
    let ends: Vec<_> =
        messages.iter().map(|message| (message["from"].as_u64(), message["to"].as_u64())).collect();
    assert_eq!(ends, [(Some(0), Some(1)), (Some(0), Some(2)), (Some(0), Some(3))]);
    for message in messages {
        has_fields(
            message,
            [
                "from",
                "to",
                "send_line",
                "recv_line",
                "communicator",
                "tag",
                "count",
                "datatype",
                "bytes",
                "repeat",
            ],
        );
        assert_eq!(
            (&message["tag"], &message["count"], &message["bytes"]),
            (&7.into(), &1.into(), &4.into())
        );
        assert_eq!((&message["communicator"], &message["repeat"]), (&"MPI_COMM_WORLD".into(), &1.into()));
    }
}

// ---- inputs that are no C programs ---------------------------------------------------------------------------------

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

// ---- where the results go ------------------------------------------------------------------------------------------

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

// ---- settings ------------------------------------------------------------------------------------------------------

#[test]
fn a_comment_suppresses_a_finding() {
    let lines: Vec<String> = wrong().lines().map(str::to_owned).collect();
    let mut same = lines.clone();
    same[13].push_str(" // anyrank: ignore[invalid-tag] the library is patched");
    let mut above = lines.clone();
    above.insert(13, "// anyrank: ignore[invalid-tag] the library is patched".to_owned());
    let mut other = lines;
    other[13].push_str(" // anyrank: ignore[invalid-rank] wrong rule");
    for (program, code) in [(same, 0), (above, 0), (other, 1)] {
        let directory = directory(&[("a.c", program.join("\n").as_bytes())]);
        let output = run(&["lint", &path(&directory, "a.c")]);
        assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn a_baseline_keeps_what_is_known_out_and_lets_what_is_new_in() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let (program, baseline) = (path(&directory, "a.c"), path(&directory, "known.json"));
    let lint = |arguments: &[&str]| run(&[&["lint", program.as_str()], arguments].concat());
    assert_eq!(lint(&["--format", "json", "-o", &baseline]).status.code(), Some(1));
    assert_eq!(lint(&["--baseline", &baseline]).status.code(), Some(0));
    // It moves, and stays known; another one like it is new.
    fs::write(&program, format!("\n\n{}", wrong())).expect("files can be written");
    assert_eq!(lint(&["--baseline", &baseline]).status.code(), Some(0));
    let call = "    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, -5, MPI_COMM_WORLD);\n";
    fs::write(&program, wrong().replace(call, &call.repeat(2))).expect("files can be written");
    let output = lint(&["--baseline", &baseline, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<_> =
        array(&json(&output), "findings").iter().map(|finding| finding["line"].clone()).collect();
    assert_eq!(lines, [15]);
    for (name, content, message) in [
        ("no.json", None, "`anyrank lint --format json -o"),
        ("not.json", Some("{\n\"findings\": 3}"), "not.json: line 2: not a report"),
    ] {
        let file = path(&directory, name);
        if let Some(content) = content {
            fs::write(&file, content).expect("files can be written");
        }
        let output = lint(&["--baseline", &file]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn services_get_their_formats() {
    let directory = directory(&[("a.c", wrong().as_bytes())]);
    let program = path(&directory, "a.c");
    let output = run(&["lint", "--format", "sarif", &program]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let log = json(&output);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "invalid-tag");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], format!("file://{program}"));
    assert_eq!(place["region"]["startLine"], 14);
    let output = run(&["lint", "--format", "github", &program]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    let start = format!("::error title=anyrank (invalid-tag),file={program},line=14,endLine=14,col=");
    assert!(text.starts_with(&start) && text.lines().count() == 1, "{text}");
}

#[test]
fn the_project_file_regrades_rules_and_the_command_line_wins() {
    let lint = |config: &str, arguments: &[&str]| {
        let directory = directory(&[("src/a.c", wrong().as_bytes()), ("anyrank.toml", config.as_bytes())]);
        let output = anyrank().arg("lint").arg(directory.path().join("src/a.c")).args(arguments).output();
        output.expect("the command starts")
    };
    for (config, arguments, code) in [
        ("", &[][..], 1),
        ("[severity]\ninvalid-tag = \"note\"\n", &[], 0),
        ("[severity]\ninvalid-tag = \"off\"\n", &[], 0),
        ("ignore = [\"invalid-tag\"]\n", &[], 0),
        ("select = [\"double-init\"]\n", &[], 0),
        ("ignore = [\"invalid-tag\"]\n", &["--select", "invalid-tag"], 1),
    ] {
        let output = lint(config, arguments);
        assert_eq!(output.status.code(), Some(code), "{config}{arguments:?}: {}", stderr(&output));
    }
    for (config, message) in [
        ("[severity]\ninvalid-tga = \"off\"\n", "did you mean `invalid-tag`?"),
        ("selcet = []\n", "anyrank.toml:1:1: "),
        ("not toml", "anyrank.toml:1:"),
    ] {
        let output = lint(config, &[]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(stderr(&output).contains(message), "{config}: {}", stderr(&output));
    }
}

#[test]
fn wrappers_named_in_the_project_file_are_mpi_calls() {
    let program = RIGHT
        .replace("MPI_Send(", "my_send(")
        .replace("int main", "int my_send(const void *, int, MPI_Datatype, int, int, MPI_Comm);\nint main");
    let config = "[mpi.wrappers]\nmy_send = \"MPI_Send\"\n";
    let with = directory(&[("a.c", program.as_bytes()), ("anyrank.toml", config.as_bytes())]);
    let output = run(&["topology", &path(&with, "a.c")]);
    assert!(stdout(&output).contains("MPI_Send line"), "{}{}", stdout(&output), stderr(&output));
    let without = directory(&[("a.c", program.as_bytes())]);
    let output = run(&["lint", &path(&without, "a.c")]);
    assert!(stdout(&output).contains("error[unmatched-recv]"), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn macros_and_include_directories_reach_the_preprocessor() {
    let program = format!("#include \"tag.h\"\n{}", wrong().replace("-5", "TAG + OFFSET"));
    let directory = directory(&[("a.c", program.as_bytes()), ("include/tag.h", b"#define TAG 3\n")]);
    let (file, include) = (path(&directory, "a.c"), path(&directory, "include"));
    let right = run(&["lint", "-D", "OFFSET=4", "-I", &include, &file]);
    assert_eq!((right.status.code(), stderr(&right).as_str()), (Some(0), ""), "{}", stdout(&right));
    let wrong = run(&["lint", "-DOFFSET=-4", &format!("-I{include}"), &file]);
    assert_eq!(wrong.status.code(), Some(1), "{}", stdout(&wrong));
}

/// A `main` that leaves the receiving to another file.
fn two_files() -> (String, &'static str) {
    let main = RIGHT
        .replace("int main", "void take(int *x);\nint main")
        .replace("MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "take(&x);");
    let take = "#include <mpi.h>\nvoid take(int *x)\n{\n    \
        MPI_Recv(x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n";
    (main, take)
}

#[test]
fn a_program_includes_the_file_next_to_it_that_defines_what_it_calls() {
    let (main, take) = two_files();
    let unrelated = "int helper(void) { return 1; }\nint main(void) { return helper(); }\n";
    let files = [("a.c", main.as_bytes()), ("lib/take.c", take.as_bytes()), ("b.c", unrelated.as_bytes())];
    let directory = directory(&files);
    let output = run(&["topology", "--format", "json", &path(&directory, "a.c")]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let report = json(&output);
    let programs = array(&report, "programs");
    assert_eq!(programs.len(), 1, "b.c was not asked about: {report}");
    assert_eq!(programs[0]["verdict"]["kind"], "exact", "{report}");
    let receive = &array(&programs[0], "channels")[0]["recv"];
    assert_eq!((&receive["function"], &receive["line"]), (&"take".into(), &4.into()));
    assert!(receive["file"].as_str().is_some_and(|file| file.ends_with("lib/take.c")), "{receive}");
}

#[test]
fn a_program_includes_the_file_of_the_compile_database_that_defines_what_it_calls() {
    let (main, take) = two_files();
    let directory = directory(&[("src/a.c", main.as_bytes()), ("lib/take.c", take.as_bytes())]);
    let root = directory.path().to_str().expect("UTF-8");
    let entry =
        |file: &str| format!("{{\"directory\":\"{root}\",\"file\":\"{file}\",\"command\":\"cc -c {file}\"}}");
    let database = format!("[{},{}]", entry("src/a.c"), entry("lib/take.c"));
    fs::write(directory.path().join("compile_commands.json"), database).expect("files can be written");
    let output = run(&["topology", "--format", "json", "-p", root, &path(&directory, "src/a.c")]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    let report = json(&output);
    assert_eq!(array(&array(&report, "programs")[0], "channels").len(), 1, "{report}");
}

#[test]
fn np_given_is_an_assumption() {
    let output = run(&["lint", "--format", "json", "--np", "3", "corpus/fanout_broadcast.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&output);
    let verdict = &array(&report, "programs")[0]["verdict"];
    assert!(verdict["np"].as_str().is_some_and(|np| np.contains('3')), "{verdict}");
}

// ---- the other subcommands -----------------------------------------------------------------------------------------

#[test]
fn the_version_names_z3() {
    let output = run(&["--version"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.starts_with(&format!("anyrank {} (", env!("CARGO_PKG_VERSION"))), "{text}");
    let z3 = if cfg!(feature = "z3") { "(Z3 " } else { "(without Z3)" };
    assert!(text.contains(z3), "{text}");
}

#[test]
fn every_rule_can_be_explained() {
    let list = stdout(&run(&["explain"]));
    assert!(20 < list.lines().count());
    for line in list.lines() {
        let id = line.split_whitespace().next().expect("a rule");
        let output = run(&["explain", id]);
        assert_eq!(output.status.code(), Some(0), "{id}");
        assert!(stdout(&output).starts_with(&format!("# {id}\n")), "{id}");
    }
}

#[test]
fn completions_and_the_manual_page_name_every_subcommand() {
    for arguments in [
        &["completions", "bash"][..],
        &["completions", "zsh"],
        &["completions", "fish"],
        &["completions", "elvish"],
        &["completions", "powershell"],
        &["man"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let text = stdout(&output).replace('\\', "");
        for name in ["lint", "topology", "explain", "completions", "time-limit", "compile-commands"] {
            assert!(text.contains(name), "{arguments:?}: {name}");
        }
    }
}

// ---- what it looks like --------------------------------------------------------------------------------------------

/// Runs in a directory that holds `a.c` only.
fn look(program: &str, arguments: &[&str]) -> String {
    let directory = directory(&[("a.c", program.as_bytes())]);
    let output =
        anyrank().current_dir(directory.path()).args(arguments).output().expect("the command starts");
    stderr(&output);
    stdout(&output)
}

#[test]
fn the_text_of_a_finding() {
    let program = RIGHT
        .replace("Recv(&x, 1, MPI_INT", "Recv(&x, 1, MPI_FLOAT")
        .replace("int rank, np, x", "int rank, np; float x");
    expect![[r#"
        error[buffer-type]: `x` holds float, which is not what MPI_INT describes
          --> a.c:10:22
           |
         4 |     int rank, np; float x = 0;
           |                         - `x` is declared here
        ...
        10 |             MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
           |                      ^^
           |
           = note: for any np >= 1

        error[datatype-mismatch]: receives MPI_FLOAT, but the message that arrives is MPI_INT
          --> a.c:12:9
           |
        10 |             MPI_Send(&x, 1, MPI_INT, i, 0, MPI_COMM_WORLD);
           |             ---------------------------------------------- the message is sent as MPI_INT
        11 |     } else {
        12 |         MPI_Recv(&x, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
           |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
           |
           = note: for any np >= 2, on ranks [1..np-1]

        a.c: exact for any np >= 1
        found 2 errors
    "#]]
    .assert_eq(&look(&program, &["lint", "a.c"]));
}

#[test]
fn the_text_of_a_topology() {
    expect![[r#"
        a.c: exact for np = 4
          channel 1: MPI_Send line 10 -> MPI_Recv line 12
            Rank 0 sends to each of [1..np-1]
            Ranks [1..np-1] receive from 0
            1 MPI_INT, tag 0, MPI_COMM_WORLD, once per pair
          patterns
            fan-out: channel 1
          at np = 4: 3 messages
                to 0 1 2 3
            from 0 . 1 1 1
            from 1 . . . .
            from 2 . . . .
            from 3 . . . .
    "#]]
    .assert_eq(&look(RIGHT, &["topology", "--np", "4", "a.c"]));
}

#[test]
fn the_statistics() {
    expect![[r#"
        1  error    invalid-tag
    "#]]
    .assert_eq(&look(&wrong(), &["lint", "--statistics"]));
}

#[test]
fn an_assumption_restricts_the_answer_and_is_named_in_it() {
    let program = |assumed: &str| {
        format!(
            "#include <mpi.h>\nint main(int argc, char **argv) {{\n  int rank, size, x = 0;\n  MPI_Init(&argc, &argv);\n\
             MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  MPI_Comm_size(MPI_COMM_WORLD, &size);\n\
             /* anyrank: assume {assumed} */\n\
             if (rank % 2 == 0) MPI_Send(&x, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);\n\
             else MPI_Recv(&x, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
             MPI_Finalize();\n  return 0;\n}}\n"
        )
    };
    let lint = |assumed: &str| {
        let directory = directory(&[("a.c", program(assumed).as_bytes())]);
        json(&run(&["lint", "--format", "json", &path(&directory, "a.c")]))
    };
    let good = lint("size  %  2 == 0");
    let verdict = &good["programs"][0]["verdict"];
    assert_eq!((verdict["kind"].as_str(), verdict["np"].as_str()), (Some("exact"), Some("any even np >= 2")));
    assert_eq!(verdict["assumptions"], serde_json::json!(["size % 2 == 0"]));
    assert!(array(&good, "findings").is_empty() && array(&good, "errors").is_empty(), "{good}");
    // What helps nothing leaves the finding, and what cannot be read is one message.
    assert_eq!(array(&lint("size > 2"), "findings")[0]["rule"], "invalid-rank");
    let bad = lint("size %% 2");
    let errors = array(&bad, "errors");
    assert_eq!(errors.len(), 1, "{bad}");
    assert!(errors[0]["message"].as_str().is_some_and(|m| m.starts_with("line 7, column 20: ")), "{bad}");
}

/// The transposition of NAS CG on twice as many columns as rows, which is what the paper's section VIII is about, and a plain pair.
#[test]
fn verbose_topologies_say_why_sends_match_receives() {
    let section = |file: &str| {
        let output = run(&["topology", "-v", "--color", "never", file]);
        let text = stdout(&output);
        let (_, section) = text.split_once("  why sends match receives\n").expect("it is there");
        let lines = section.lines().map_while(|line| line.strip_prefix("    "));
        // How long it took is different each time.
        let untimed = |line: &str| match line.rsplit_once(", ") {
            Some((before, time)) if time.ends_with(" ms") => before.to_owned(),
            _ => line.to_owned(),
        };
        lines.map(|line| untimed(line) + "\n").collect::<String>()
    };
    expect![[r#"
            2 of 2 by algebra alone, 0 with the help of Z3
            MPI_Send line 31 -> MPI_Recv line 36: by algebra
              send:    [0] to 1
              receive: [1] from 0
              known:   np == 2
              1 maps [0] to [1]
              0 maps [1] to [0]
              [0] match [1]: the composition is the identity
                  counting: [1 : 1, 1]
              matched: [0] with [1]
            MPI_Send line 37 -> MPI_Recv line 33: by algebra
              send:    [1] to 0
              receive: [0] from 1
              known:   np == 2
              0 maps [1] to [0]
              1 maps [0] to [1]
              [1] match [0]: the composition is the identity
                  counting: [0 : 1, 1]
              matched: [1] with [0]
    "#]]
    .assert_eq(&section("corpus/fig2_exchange.c"));
    let transpose = section("corpus/transpose_double.c");
    assert!(transpose.starts_with("2 of 2 by algebra alone, 0 with the help of Z3\n"), "{transpose}");
    for step in [
        "known:   np == 2 * atoi(argv[1]) * atoi(argv[1])",
        "quotient: [[[0 : 2, 1] : atoi(argv[1]), 2] : atoi(argv[1]), 2*atoi(argv[1])] by 2 is [[[0 : 2, 0] : atoi(argv[1]), 1] : atoi(argv[1]), atoi(argv[1])]",
        "the composition is the identity",
    ] {
        assert!(transpose.contains(step), "{step} in\n{transpose}");
    }
    assert!(!stdout(&run(&["topology", "corpus/fig2_exchange.c"])).contains("why sends match"));
}
