//! What kills an analysis, or interrupts it, costs no more than it must.

use std::fs;
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::{RIGHT, anyrank, array, directory, json, path, run, stderr, wrong};

/// Programs that no compiler takes, or whose numbers are too large for any machine.
const HOSTILE: [(&str, &str); 5] = [
    (
        "itself.c",
        "struct list { int value; struct list rest; };\nstatic struct list all = {1, {2}};\nBODY(&all, 1, MPI_INT)",
    ),
    (
        "both.c",
        "union odd { int number; union odd more[4]; };\nstatic union odd it;\nBODY(&it.more[2], 1, MPI_INT)",
    ),
    ("table.c", "static long table[] = {[1999999999] = 7};\nBODY(table, table[3], MPI_LONG)"),
    (
        "lists.c",
        "static int sizes[2000000000] = {4};\nstatic MPI_Datatype t;\n\
         BODY((MPI_Type_create_subarray(1900000000, sizes, sizes, sizes, MPI_ORDER_C, MPI_INT, &t), &t), 1, MPI_BYTE)",
    ),
    (
        "product.c",
        "static int n[3] = {2000000000, 2000000000, 2000000000}, zero[3];\nstatic MPI_Datatype t;\nstatic double d;\n\
         BODY((MPI_Type_create_subarray(3, n, n, zero, MPI_ORDER_C, MPI_DOUBLE, &t), MPI_Type_commit(&t), &d), 1, t)",
    ),
];

#[test]
fn no_program_ends_the_run() {
    let mut files: Vec<(&str, Vec<u8>)> = vec![("right.c", RIGHT.into()), ("wrong.c", wrong().into_bytes())];
    for (name, text) in HOSTILE {
        let body = "#define BODY(BUFFER, COUNT, TYPE) int main(int argc, char **argv) { MPI_Init(&argc, &argv); \
                    MPI_Bcast(BUFFER, COUNT, TYPE, 0, MPI_COMM_WORLD); MPI_Finalize(); return 0; }\n";
        files.push((name, format!("#include <mpi.h>\n{body}{text}\n").into_bytes()));
    }
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_slice())).collect();
    let directory = directory(&files);
    let output = run(&["lint", "--format", "json", directory.path().to_str().expect("UTF-8")]);
    // No process had to be killed either.
    assert!(!stderr(&output).contains("SIG"), "{}", stderr(&output));
    let report = json(&output);
    assert_eq!(array(&report, "programs").len(), files.len(), "{report}");
    let rules: Vec<_> = array(&report, "findings").iter().map(|finding| &finding["rule"]).collect();
    assert!(rules.contains(&&Value::from("invalid-tag")), "{report}");
}

/// A program whose table takes far more memory than others do: it alone is left out, however many are analysed at a time.
#[cfg(target_os = "linux")]
#[test]
fn what_takes_too_much_memory_is_left_out_alone() {
    let table: String = (0..200_000).map(|number| format!("{{{number}, \"{number}\"}},\n")).collect();
    let large = format!(
        "struct entry {{ int number; const char *name; }};\nstatic struct entry table[] = {{\n{table}}};\n{RIGHT}"
    );
    let directory = directory(&[
        ("a.c", RIGHT.as_bytes()),
        ("large.c", large.as_bytes()),
        ("wrong.c", wrong().as_bytes()),
        ("z.c", RIGHT.as_bytes()),
    ]);
    let lint = |jobs: &str, limit: &[&str]| {
        let paths = directory.path().to_str().expect("UTF-8");
        run(&[&["lint", "--format", "json", "-j", jobs, paths], limit].concat())
    };
    let unlimited = json(&lint("2", &[]));
    assert_eq!(array(&unlimited, "programs").len(), 4, "{unlimited}");
    let mut answers = Vec::new();
    for jobs in ["1", "3"] {
        let output = lint(jobs, &["--memory-limit", "100"]);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        let mut report = json(&output);
        let errors = array(&report, "errors");
        assert_eq!(errors.len(), 1, "{report}");
        assert!(errors[0]["file"].as_str().is_some_and(|file| file.ends_with("large.c")), "{report}");
        let message = errors[0]["message"].as_str().expect("a message");
        assert!(message.contains("SIGABRT") && message.contains("--memory-limit"), "{message}");
        assert_eq!(array(&report, "programs").len(), 3, "{report}");
        let rules: Vec<_> = array(&report, "findings").iter().map(|finding| &finding["rule"]).collect();
        assert!(rules.contains(&&Value::from("invalid-tag")), "{report}");
        for program in report["programs"].as_array_mut().expect("programs") {
            program["seconds"] = Value::Null;
        }
        answers.push(report);
    }
    assert_eq!(answers[0], answers[1], "what is to blame does not depend on -j");
}

/// Starts the command on a small program and on one that takes very long.
fn start(directory: &tempfile::TempDir, command: &[&str]) -> Child {
    let (quick, slow) = (path(directory, "quick.c"), path(directory, "slow.c"));
    let mut process = anyrank();
    process.args(command).args(["-j", "2", "--time-limit", "100000", "--np", "2..300", &quick, &slow]);
    process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

/// Asks a process to end after a while, and waits for it: its exit code, and what it said on both streams.
fn interrupt(mut child: Child, signal: &str, after: Duration) -> (Option<i32>, String, String) {
    thread::sleep(after);
    let pid = child.id().to_string();
    let sent = std::process::Command::new("kill").args([signal, &pid]).status().expect("there is kill");
    assert!(sent.success(), "it runs still");
    let (mut said, mut complained) = (String::new(), String::new());
    child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
    child.stderr.take().expect("a pipe").read_to_string(&mut complained).expect("UTF-8");
    (child.wait().expect("it ends").code(), said, complained)
}

/// What is done when a signal comes is printed, whole, and the rest is named.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_it_has() {
    let quick = "#include <mpi.h>\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }\n";
    // Each process count is explored by itself.
    let slow = RIGHT.replace("i < np; i++)", "i < np; i++) for (int k = 0; k < 400 * i; k++)");
    let slow = slow.replace("MPI_Recv(", "for (int k = 0; k < 400 * rank; k++) MPI_Recv(");
    let directory = directory(&[("quick.c", quick.as_bytes()), ("slow.c", slow.as_bytes())]);
    let mut wait = Duration::from_secs(2);
    for (command, signal, code) in
        [(&["lint", "--format", "json"][..], "-TERM", 143), (&["topology", "--format", "json"], "-INT", 130)]
    {
        let report = loop {
            let (found, said, complained) = interrupt(start(&directory, command), signal, wait);
            assert_eq!(found, Some(code), "{said}{complained}");
            assert!(complained.contains("interrupted by SIG"), "{complained}");
            let report: Value = serde_json::from_str(&said).expect("the JSON is whole");
            if !array(&report, "programs").is_empty() {
                break report;
            }
            // The machine is busy.
            wait *= 2;
            assert!(wait < Duration::from_secs(300), "{report}");
        };
        let entry = array(&report, "programs")[0]["entry"].as_str().expect("a file");
        assert!(entry.ends_with("quick.c") && array(&report, "programs").len() == 1, "{report}");
        let missing = array(&report, "errors");
        assert!(
            missing.iter().any(|error| error["file"].as_str().is_some_and(|file| file.ends_with("slow.c")))
        );
    }
    // A file is there whole, and nothing else.
    let out = path(&directory, "out.txt");
    let (code, said, complained) = interrupt(start(&directory, &["lint", "-o", &out]), "-TERM", 2 * wait);
    assert_eq!((code, said.as_str()), (Some(143), ""), "{complained}");
    let written = fs::read_to_string(&out).expect("it is written");
    assert!(written.contains("quick.c: ") && written.contains("no findings"), "{written}");
    assert_eq!(fs::read_dir(directory.path()).expect("readable").count(), 3);
}
