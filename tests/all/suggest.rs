//! `anyrank suggest`: what is suggested, what is edited, and whether the edited programs do the same.
//!
//! The oracle: each program of the corpus that says a suggestion is due is edited, compiled, run beside the original, linted, and looked
//! at once more. A third of the programs at a few process counts here, all at 1..8 in the ignored test.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use analyzer::results::Severity;
use analyzer::rules::Group;
use anyrank::session::{self, Request};
use frontend::mpi;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{anyrank, code};
use crate::edited::{FLAGS, does_the_same};
use crate::held;
use crate::mpi_run::{Mpi, compile};

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let output = anyrank(directory, arguments);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name)
}

/// A program of the corpus as the file `a.c` in a directory of its own.
fn copy(name: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::copy(corpus(name), directory.path().join("a.c")).expect("the program can be copied");
    directory
}

/// Programs of the corpus in one file that are right, with an opportunity in them.
fn programs() -> Vec<String> {
    let files = fs::read_dir(corpus("")).expect("the corpus is there");
    let mut names: Vec<String> = files
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let text = fs::read_to_string(entry.path()).ok()?;
            let name = entry.file_name().into_string().ok()?;
            let opportunities =
                analyzer::rules::Rule::ALL.iter().filter(|rule| rule.group() == Group::Opportunity);
            let due = opportunities.into_iter().any(|rule| text.contains(&format!("NOTE {rule}")));
            // What is wrong stays wrong, and cannot be run.
            (due && !text.contains("//~ MUST")).then_some(name)
        })
        .collect();
    names.sort_unstable();
    names
}

/// What is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tried {
    /// The edits that are made.
    Edits,
    /// Also whether they are those that are shown, and none where none is shown.
    All,
}

/// How often each function that communicates is called; those that build datatypes are none.
fn communication(text: &str) -> BTreeMap<&str, usize> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut calls = BTreeMap::new();
    for word in words.filter(|word| mpi::lookup(word).is_some_and(|f| f.class.communicates())) {
        *calls.entry(word).or_insert(0) += 1;
    }
    calls
}

/// Edits a program as suggested, and compares it with the original. `false` where there is no edit.
fn stays_the_same(name: &str, counts: &[usize], tried: Tried) -> bool {
    let directory = copy(name);
    let path = directory.path().join("a.c");
    let is_shown = (tried == Tried::All).then(|| {
        let suggested = json(directory.path(), &["suggest", "--format", "json", "a.c"]);
        let suggestions = suggested["suggestions"].as_array().expect("a list");
        assert!(!suggestions.is_empty(), "{name}: nothing is suggested");
        suggestions.iter().any(|one| one["edit"]["edits"].as_array().is_some_and(|edits| !edits.is_empty()))
    });
    let output = anyrank(directory.path(), &["suggest", "--apply", "a.c"]);
    assert_eq!(code(&output), Some(0), "{name}: {output:?}");
    let original = fs::read_to_string(corpus(name)).expect("the original");
    let edited = fs::read_to_string(&path).expect("the program is there");
    assert!(is_shown.is_none_or(|is_shown| is_shown == (edited != original)), "{name}");
    if edited == original {
        return false;
    }
    let before = communication(&original);
    let mut brought = communication(&edited);
    brought.retain(|function, calls| before.get(function).is_none_or(|before| before < calls));
    let request = Request { jobs: Some(1), is_checked: true, ..Request::new(vec![path.clone()]) };
    let outcome = session::analyse(&request).expect("it can be read").outcome;
    assert!(outcome.errors.is_empty(), "{name}: {:#?}", outcome.errors);
    let found = outcome.findings.iter().find(|finding| finding.severity != Severity::Note);
    assert!(found.is_none(), "{name}: {found:#?}");
    let topology = report::json::topology(&outcome).expect("it can be written");
    let topology: Value = serde_json::from_str(&topology).expect("it is JSON");
    let program = &topology["programs"][0];
    assert_eq!(program["verdict"]["kind"], "exact", "{name}");
    let said = program.to_string();
    assert!(brought.keys().all(|operation| said.contains(operation)), "{name}: {brought:?} {said}");

    does_the_same(&corpus(name), &path, counts).unwrap_or_else(|error| panic!("{name}: {error}\n{edited}"));
    true
}

/// How many programs are edited, all of which do the same afterwards. Two at a time: whoever has time takes the next one.
fn edited_of(names: Vec<String>, counts: &[usize], tried: Tried) -> usize {
    let next = AtomicUsize::new(0);
    let edited = || {
        let mine = std::iter::from_fn(|| names.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.filter(|name| stays_the_same(name, counts, tried)).count()
    };
    thread::scope(|scope| {
        let other = scope.spawn(edited);
        edited() + other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn edited_programs_do_the_same() {
    // A quarter of them, another one with each commit.
    let turns = 4;
    let names = programs().into_iter().filter(|name| held::is_turn_of(name, turns)).collect();
    let edited = edited_of(names, &[1, 3], Tried::Edits);
    assert!(6 <= edited, "{edited} programs of the corpus are edited");
}

#[test]
#[ignore = "minutes; `cargo test --test all suggest -- --ignored`"]
fn edited_programs_do_the_same_for_all_small_process_counts() {
    let edited = edited_of(programs(), &[1, 2, 3, 4, 5, 6, 7, 8], Tried::All);
    assert!(25 <= edited, "{edited} programs of the corpus are edited");
}

#[test]
fn a_suggestion_says_what_it_gains_and_what_stands_in_the_way() {
    let directory = copy("suggest_reduce_rounded.c");
    let output = anyrank(directory.path(), &["suggest", "a.c"]);
    assert_eq!(code(&output), Some(0), "an opportunity is no defect");
    let text = stdout(&output);
    assert!(text.contains("note[use-collective]: rank 0 combines"), "{text}");
    assert!(text.contains("cost: ceil(log2(np)) (a + m*b), instead of (np - 1)(a + m*b)"), "{text}");
    assert!(text.contains("advice only: adding in another order may round differently"), "{text}");
    let suggested = json(directory.path(), &["suggest", "--format", "json", "a.c"]);
    let suggestion = &suggested["suggestions"][0];
    assert_eq!(suggestion["rule"], "use-collective");
    assert_eq!(suggestion["np"], "any np >= 1");
    assert!(suggestion["edit"].is_null() && suggestion["advice"].is_string(), "{suggestion}");
}

#[test]
fn what_is_advice_only_is_not_applied() {
    let name = "suggest_reduce_rounded.c";
    assert!(!stays_the_same(name, &[], Tried::All));
}

#[test]
fn a_diff_is_a_patch_and_changes_nothing() {
    let directory = copy("fanout_broadcast.c");
    let before = fs::read_to_string(directory.path().join("a.c")).expect("the program is there");
    let output = anyrank(directory.path(), &["suggest", "--format", "diff", "a.c"]);
    assert_eq!(code(&output), Some(0));
    let patch = stdout(&output);
    assert!(patch.starts_with("--- a.c\n+++ a.c\n@@ "), "{patch}");
    assert!(patch.contains("\n+    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);\n"), "{patch}");
    assert_eq!(fs::read_to_string(directory.path().join("a.c")).expect("still there"), before);
    let output = anyrank(directory.path(), &["suggest", "--apply", "a.c"]);
    assert!(stdout(&output).contains("made 1 edit in 1 file"), "{output:?}");
    let again = anyrank(directory.path(), &["suggest", "--apply", "a.c"]);
    assert!(
        stdout(&again).starts_with("made 0 edits") || stdout(&again).contains("\nmade 0 edits in 0 files\n"),
        "{again:?}"
    );
}

#[test]
fn what_is_silenced_is_not_suggested() {
    let directory = copy("fanout_broadcast.c");
    for silent in [
        &["suggest", "-q", "--ignore", "use-collective", "a.c"][..],
        &["suggest", "-q", "--select", "use-sendrecv", "a.c"],
    ] {
        let output = anyrank(directory.path(), silent);
        assert_eq!((code(&output), stdout(&output)), (Some(0), String::new()));
    }
    let path = directory.path().join("a.c");
    let text = fs::read_to_string(&path).expect("the program is there");
    let call = "            MPI_Send(&value";
    let silenced =
        text.replace(call, &format!("            // anyrank: ignore[use-collective] few processes\n{call}"));
    assert_ne!(text, silenced);
    fs::write(&path, silenced).expect("a file can be written");
    let output = anyrank(directory.path(), &["suggest", "-q", "a.c"]);
    assert_eq!((code(&output), stdout(&output)), (Some(0), String::new()));
    let linted = anyrank(directory.path(), &["lint", "a.c"]);
    assert!(!stdout(&linted).contains("use-collective"), "{linted:?}");
}

/// A datatype of three blocks of two elements, the first elements of which are told by `places`.
fn built_of(definitions: &str, places: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = format!(
        "#include <mpi.h>
{definitions}
int main(void)
{{
    int buffer[400] = {{0}}, places[3] = {{{places}}};
    MPI_Datatype blocks;
    MPI_Init(0, 0);
    MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Bcast(buffer, 1, blocks, 0, MPI_COMM_WORLD);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}}
"
    );
    fs::write(directory.path().join("a.c"), text).expect("a file can be written");
    stdout(&anyrank(directory.path(), &["suggest", "-q", "--format", "diff", "a.c"]))
}

#[test]
fn numbers_are_read_as_c_reads_them_in_every_build() {
    for (definitions, places) in
        [("", "0, 10, 20"), ("#define N 10", "0, N, 2 * N"), ("#define N (10) // blocks", "0, N, N + 10")]
    {
        let patch = built_of(definitions, places);
        assert!(
            patch.contains("+    MPI_Type_vector(3, 2, 10, MPI_INT, &blocks);"),
            "{definitions}: {patch}"
        );
    }
    for (definitions, places) in [
        ("", "0, 010, 020"),
        ("#ifndef N\n#define N 10\n#endif", "0, N, 2 * N"),
        ("#ifdef BIG\n#define N 100\n#else\n#define N 10\n#endif", "0, N, 2 * N"),
        ("#define N 10\n#undef N\n#define N 20", "0, N, 2 * N"),
    ] {
        assert_eq!(built_of(definitions, places), "", "{definitions}: {places}");
    }
}

#[test]
fn input_that_is_none_is_an_error() {
    let directory = copy("fanout_broadcast.c");
    assert_eq!(code(&anyrank(directory.path(), &["suggest", "missing.c"])), Some(2));
    assert_eq!(code(&anyrank(directory.path(), &["suggest", "--select", "use-everything", "a.c"])), Some(2));
    fs::write(directory.path().join("half.c"), "int main(void) { if (").expect("a file can be written");
    assert!(code(&anyrank(directory.path(), &["suggest", "half.c"])).is_some());
    fs::write(directory.path().join("none.c"), "int f(void) { return 1; }\n").expect("a file can be written");
    let output = anyrank(directory.path(), &["suggest", "none.c"]);
    assert_eq!(code(&output), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("none of the files defines `main`"),
        "{output:?}"
    );
}

/// A program that broadcasts a value several times by hand, each time in a loop over a variable of its own or over one for all.
fn chained(number: usize, shared: bool) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mut text = "#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, np, x = 3;
"
    .to_owned();
    if shared {
        text.push_str("    int i;\n");
    }
    text.push_str(
        "    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
",
    );
    let declare = if shared { "" } else { "int " };
    for tag in 0..number {
        text.push_str(&format!(
            "    if (rank == 0) {{
        for ({declare}i = 1; i < np; i++)
            MPI_Send(&x, 1, MPI_INT, i, {tag}, MPI_COMM_WORLD);
    }} else {{
        MPI_Recv(&x, 1, MPI_INT, 0, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }}
    x = 2 * x + rank;
"
        ));
    }
    text.push_str("    printf(\"%d\\n\", x);\n    MPI_Finalize();\n    return 0;\n}\n");
    fs::write(directory.path().join("a.c"), text).expect("a file can be written");
    directory
}

#[test]
fn edits_that_are_tried_together_are_all_made() {
    for shared in [false, true] {
        let directory = chained(4, shared);
        let suggested = json(directory.path(), &["suggest", "--format", "json", "a.c"]);
        let suggestions = suggested["suggestions"].as_array().expect("a list");
        assert_eq!(suggestions.iter().filter(|one| one["edit"].is_object()).count(), 4, "{suggested}");
        let output = anyrank(directory.path(), &["suggest", "--apply", "a.c"]);
        assert!(stdout(&output).contains("made 4 edits in 1 file"), "{output:?}");
        let path = directory.path().join("a.c");
        let edited = fs::read_to_string(&path).expect("the program is there");
        assert_eq!(edited.matches("MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD);").count(), 4, "{edited}");
        // Nothing is left over that the compiler would complain about.
        compile(Mpi::OpenMpi, &[&path], &FLAGS).unwrap_or_else(|error| panic!("{error}\n{edited}"));
    }
}

/// A binomial tree that begins at some process: ranks are counted from there.
fn tree_from(root: &str, after: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let text = format!(
        "#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{{
    int rank, np, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &np);
    {root}
    int me = (rank - root + np) % np;
    if (rank == root)
        x = 42;
    for (int d = 1; d < np; d *= 2) {{
        if (me < d) {{
            if (me + d < np)
                MPI_Send(&x, 1, MPI_INT, (rank + d) % np, 0, MPI_COMM_WORLD);
        }} else if (me < 2 * d) {{
            MPI_Recv(&x, 1, MPI_INT, (rank - d + np) % np, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }}
    }}
    {after}
    printf(\"%d\\n\", x);
    MPI_Finalize();
    return 0;
}}
"
    );
    fs::write(directory.path().join("a.c"), text).expect("a file can be written");
    directory
}

#[test]
fn a_tree_may_have_its_root_in_the_middle() {
    let patch = |directory: &TempDir| {
        stdout(&anyrank(directory.path(), &["suggest", "-q", "--format", "diff", "a.c"]))
    };
    let middle = patch(&tree_from("int root = np / 2;", ""));
    assert!(middle.contains("+    MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);"), "{middle}");
    // A root that is another one later on is not what the name says at every place.
    assert_eq!(patch(&tree_from("int root = np / 2;", "root = 0; printf(\"%d\\n\", root);")), "");
}
