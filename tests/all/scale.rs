//! Programs that are long or deep in one way: each stays within its budget, in time and in memory, and whatever is not decided about it,
//! its calls are still looked at one by one.
//!
//! They are made here, a tenth as large as is promised, a third of them with each commit; all, as large as that, where `ANYRANK_SCALE=all` is set.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::held;

/// Time on a processor for one program, in seconds: what is counted ends much earlier, even in a build that is not optimised.
const SECONDS: u32 = 60;
/// Memory of the process, in kilobytes.
const MEMORY: u32 = 3_000_000;

/// What every program does in the end: a ring.
const RING: &str = "MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % np, 0, &got, 1, MPI_INT, (rank - 1 + np) % np, 0,\n\
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n";

/// A mistake that is seen without knowing anything else.
const LOCAL: &str = "void wrong(int *x)\n{\nMPI_Send(x, -3, MPI_INT, 0, 0, MPI_COMM_WORLD);\n}\n";

/// A kind of program, and how long those are that stay within the budget.
type Kind = (&'static str, usize, fn(usize) -> String);

fn joined(number: usize, piece: impl Fn(usize) -> String) -> String {
    (0..number).map(piece).collect()
}

fn program(functions: &str, body: &str) -> String {
    format!(
        "#include <mpi.h>\n{functions}{LOCAL}int main(int argc, char **argv)\n{{\nint rank, np, got = 0, v = 0;\n\
         MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &np);\n\
         {body}{RING}MPI_Finalize();\nreturn v + got;\n}}\n"
    )
}

fn else_ifs(number: usize) -> String {
    let others = joined(number, |i| format!("else if (argc == {}) v = {i};\n", i + 2));
    program("", &format!("if (argc == 1) v = 1;\n{others}"))
}

fn else_ifs_on_ranks(number: usize) -> String {
    let others = joined(number, |i| format!("else if (rank == {}) v = {i};\n", i + 1));
    program("", &format!("if (rank == 0) v = 1;\n{others}"))
}

fn variables(number: usize) -> String {
    program("", &joined(number, |i| format!("int v{i} = rank + {i};\n")))
}

fn globals(number: usize) -> String {
    program(&joined(number, |i| format!("int g{i};\n")), &joined(number, |i| format!("g{i} = argc + {i};\n")))
}

fn pointers(number: usize) -> String {
    let declared = joined(number, |i| format!("int v{i} = {i}; int *p{i} = &v{i};\n"));
    let stored = joined(number, |i| format!("*p{i} = *p{} + 1;\n", i * 7 % number));
    program("", &format!("{declared}{stored}"))
}

fn calls(number: usize) -> String {
    program("static void f(int *v) { *v += 1; }\n", &"f(&v);\n".repeat(number))
}

fn barriers(number: usize) -> String {
    program("", &"MPI_Barrier(MPI_COMM_WORLD);\n".repeat(number))
}

fn rings(number: usize) -> String {
    program("", &RING.repeat(number))
}

/// Functions that call each other in a row, the last of which does something.
fn chain(number: usize, last: &str) -> String {
    let mut functions = format!("static int f{number}(int x) {{ {last} return x; }}\n");
    for i in (0..number).rev() {
        writeln!(functions, "static int f{i}(int x) {{ return f{}(x + 1) + 1; }}", i + 1)
            .expect("a text takes what is written");
    }
    program(&functions, "v = f0(rank);\n")
}

fn nested_calls(number: usize) -> String {
    chain(number, "MPI_Barrier(MPI_COMM_WORLD);")
}

fn nested_calls_that_compute(number: usize) -> String {
    chain(number, "")
}

fn calls_within_calls(number: usize) -> String {
    let (begin, end) = ("f(".repeat(number), ")".repeat(number));
    program("static int f(int x) { return x + 1; }\n", &format!("v = {begin}argc{end};\n"))
}

fn parentheses(number: usize) -> String {
    program("", &format!("v = {}argc{};\n", "(".repeat(number), ")".repeat(number)))
}

fn sums(number: usize) -> String {
    program("", &format!("v = argc{};\n", " + argc".repeat(number)))
}

fn conjunctions(number: usize) -> String {
    program("", &format!("if (argc{}) v = 1;\n", joined(number, |i| format!(" && argc != {}", i + 5))))
}

fn choices(number: usize) -> String {
    program("", &format!("v = {}0;\n", joined(number, |i| format!("argc == {i} ? {i} : "))))
}

fn blocks(number: usize) -> String {
    program("", &format!("{}v = 1;\n{}\n", "{".repeat(number), "}".repeat(number)))
}

fn conditions_within(number: usize) -> String {
    program(
        "",
        &format!("{}v = 1;\n{}\n", joined(number, |i| format!("if (argc > {i}) {{\n")), "}".repeat(number)),
    )
}

fn loops_within(number: usize) -> String {
    let heads = joined(number, |i| format!("for (int i{i} = 0; i{i} < argc; i{i}++) {{\n"));
    program("", &format!("{heads}v++;\n{}\n", "}".repeat(number)))
}

fn jumps(number: usize) -> String {
    program(
        "",
        &joined(number, |i| format!("l{i}: if (argc > {i} && v++ < 3) goto l{};\n", (i * 7 + 3) % number)),
    )
}

fn cases(number: usize) -> String {
    program(
        "",
        &format!(
            "switch (argc) {{\n{}}}\n",
            joined(number, |i| format!("case {i}: v = {}; break;\n", 3 * i))
        ),
    )
}

fn structs_within(number: usize) -> String {
    let others = joined(number, |i| format!("struct s{} {{ struct s{i} inner; int x; }};\n", i + 1));
    program(&format!("struct s0 {{ int x; }};\n{others}"), &format!("struct s{number} s; s.x = 1;\n"))
}

const KINDS: [Kind; 21] = [
    ("else_ifs", 2_000, else_ifs),
    ("else_ifs_on_ranks", 2_000, else_ifs_on_ranks),
    ("variables", 5_000, variables),
    ("globals", 5_000, globals),
    ("pointers", 2_000, pointers),
    ("calls", 5_000, calls),
    ("barriers", 5_000, barriers),
    ("rings", 2_000, rings),
    ("nested_calls", 3_000, nested_calls),
    ("nested_calls_that_compute", 3_000, nested_calls_that_compute),
    ("calls_within_calls", 3_000, calls_within_calls),
    ("parentheses", 5_000, parentheses),
    ("sums", 5_000, sums),
    ("conjunctions", 3_000, conjunctions),
    ("choices", 3_000, choices),
    ("blocks", 5_000, blocks),
    ("conditions_within", 3_000, conditions_within),
    ("loops_within", 1_000, loops_within),
    ("jumps", 2_000, jumps),
    ("cases", 2_000, cases),
    ("structs_within", 3_000, structs_within),
];

/// What is said of a program by a process that has only so much time and memory.
fn lint(file: &Path) -> Value {
    let limited = format!("ulimit -t {SECONDS}; ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_anyrank"), "lint", "-q", "-j", "1", "--format", "json"])
        .args(["--time-limit", "12"])
        .arg(file)
        .output()
        .expect("there is a shell");
    assert!(output.status.code().is_some_and(|code| code < 2), "{}: {output:?}", file.display());
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

#[test]
fn long_and_deep_programs_stay_within_their_budget() {
    let all = std::env::var_os("ANYRANK_SCALE").is_some_and(|value| value == "all");
    let folder = TempDir::new().expect("there is room for files");
    // A third of them, another one with each commit.
    let turns = 3;
    for (name, number, make) in KINDS.into_iter().filter(|(name, ..)| all || held::is_turn_of(name, turns)) {
        let file = folder.path().join(name).with_extension("c");
        fs::write(&file, make(if all { number } else { number / 10 })).expect("there is room for a file");
        let report = lint(&file);
        let verdict = &report["programs"][0]["verdict"];
        let reasons = verdict["reasons"].as_array().map_or(0, Vec::len);
        assert!(verdict["kind"] == "exact" || 0 < reasons, "{name}: {report}");
        assert!(!verdict.to_string().contains("depends on the machine"), "{name}: {report}");
        let findings = report["findings"].as_array().expect("it is a list");
        assert!(findings.iter().any(|finding| finding["rule"] == "invalid-count"), "{name}: {report}");
        assert!(findings.iter().all(|finding| finding["rule"] == "invalid-count"), "{name}: {report}");
    }
}
