//! `lint --fix` and `--diff` on files of a user: what is edited, what stays as it is, and what is said.
//!
//! The failing program of each rule page that says there is a fix is fixed here, compiled, and linted once more.

use std::fs;
use std::path::Path;
use std::process::Command;

use analyzer::rules::{FIX, Group, Rule};
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{anyrank, code};

/// What leaks, in a program of one file.
const LEAK: &str = "#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm own;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    MPI_Barrier(own);
    MPI_Finalize();
    return 0;
}
";

fn with(name: &str, text: &str) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join(name), text).expect("a file can be written");
    directory
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).expect("the file is there")
}

/// The first C program of a section of a rule page.
fn program_of(page: &str, section: &str) -> String {
    let (_, rest) = page.split_once(section).expect("the page has the section");
    let (_, rest) = rest.split_once("```c\n").expect("the section has a program");
    rest.split_once("```").expect("the program ends").0.to_owned()
}

#[test]
fn a_leak_is_fixed_and_the_second_run_has_nothing_to_do() {
    let directory = with("a.c", LEAK);
    let output = anyrank(directory.path(), &["lint", "--fix", "a.c"]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("1 finding fixed in 1 file\n"), "{output:?}");
    let fixed = read(&directory, "a.c");
    assert_eq!(fixed, LEAK.replace("    MPI_Finalize", "    MPI_Comm_free(&own);\n    MPI_Finalize"));
    let output = anyrank(directory.path(), &["lint", "--fix", "a.c"]);
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("nothing fixed\n"), "{output:?}");
    assert_eq!(read(&directory, "a.c"), fixed);
}

#[test]
fn a_diff_changes_nothing_and_its_exit_code_is_that_of_the_findings() {
    let directory = with("a.c", LEAK);
    let output = anyrank(directory.path(), &["lint", "--diff", "."]);
    assert_eq!(code(&output), Some(1));
    let patch = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(patch.starts_with("--- a.c\n+++ a.c\n@@ "), "{patch}");
    let added: Vec<_> = patch.lines().skip(2).filter(|line| line.starts_with(['+', '-'])).collect();
    assert_eq!(added, ["+    MPI_Comm_free(&own);"]);
    assert_eq!(read(&directory, "a.c"), LEAK);
}

#[test]
fn lines_end_as_they_did() {
    let text = LEAK.replace('\n', "\r\n");
    let directory = with("a.c", text.trim_end());
    assert_eq!(code(&anyrank(directory.path(), &["lint", "--fix", "a.c"])), Some(0));
    let fixed = read(&directory, "a.c");
    assert!(fixed.contains("    MPI_Comm_free(&own);\r\n    MPI_Finalize();\r\n"), "{fixed:?}");
    assert!(fixed.ends_with("}") && !fixed.replace("\r\n", "").contains('\n'), "{fixed:?}");
}

#[test]
fn several_findings_of_a_file_are_fixed_together() {
    let text = LEAK.replace(
        "    MPI_Barrier(own);\n",
        "    MPI_Comm both; MPI_Comm_dup(own, &both); MPI_Barrier(both);\n    long n = argc;\n    \
         MPI_Bcast(&n, 1, MPI_INT, 0, own);\n",
    );
    let directory = with("a.c", &text);
    let output = anyrank(directory.path(), &["lint", "--fix", "a.c"]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    let fixed = read(&directory, "a.c");
    assert!(fixed.contains("MPI_Bcast(&n, 1, MPI_LONG, 0, own)"), "{fixed}");
    assert!(fixed.contains("MPI_Comm_free(&both);\n") && fixed.contains("MPI_Comm_free(&own);\n"), "{fixed}");
}

#[test]
fn what_is_not_shown_is_not_fixed() {
    let directory = with("a.c", LEAK);
    for silent in [
        &["lint", "--fix", "--ignore", "communicator-leak", "a.c"][..],
        &["lint", "--fix", "--severity", "error", "a.c"],
    ] {
        assert_eq!(code(&anyrank(directory.path(), silent)), Some(0));
        assert_eq!(read(&directory, "a.c"), LEAK);
    }
    let comment =
        LEAK.replace("&own);\n    MPI_B", "&own); // anyrank: ignore[communicator-leak] kept\n    MPI_B");
    fs::write(directory.path().join("a.c"), &comment).expect("a file can be written");
    assert_eq!(code(&anyrank(directory.path(), &["lint", "--fix", "a.c"])), Some(0));
    assert_eq!(read(&directory, "a.c"), comment);
}

#[test]
fn code_that_the_preprocessor_decides_about_is_left_alone() {
    let text = LEAK.replace("    MPI_Barrier(own);\n", "#ifdef DEBUG\n    MPI_Barrier(own);\n#endif\n");
    let directory = with("a.c", &text);
    assert_eq!(code(&anyrank(directory.path(), &["lint", "--fix", "a.c"])), Some(1));
    assert_eq!(read(&directory, "a.c"), text);
}

#[test]
fn an_edit_is_part_of_the_json_report() {
    let directory = with("a.c", LEAK);
    let output = anyrank(directory.path(), &["lint", "--format", "json", "a.c"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let fix = &report["findings"][0]["fix"];
    assert_eq!(fix["description"], "free the communicator `own`");
    let edit = serde_json::json!([{ "file": "a.c", "start": [9, 1], "end": [9, 1], "text": "    MPI_Comm_free(&own);\n" }]);
    assert_eq!(fix["edits"], edit);
}

#[cfg(unix)]
#[test]
fn links_permissions_and_read_only_files_stay() {
    use std::os::unix::fs::PermissionsExt;
    let directory = with("real.c", LEAK);
    let real = directory.path().join("real.c");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions can be set");
    std::os::unix::fs::symlink("real.c", directory.path().join("a.c")).expect("a link can be made");
    assert_eq!(code(&anyrank(directory.path(), &["lint", "--fix", "a.c"])), Some(0));
    assert!(fs::symlink_metadata(directory.path().join("a.c")).expect("the link").is_symlink());
    assert!(read(&directory, "real.c").contains("MPI_Comm_free"));
    let mode = |path: &Path| fs::metadata(path).expect("the file").permissions().mode() & 0o777;
    assert_eq!(mode(&real), 0o640);

    fs::write(&real, LEAK).expect("a file can be written");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o440)).expect("permissions can be set");
    fs::write(directory.path().join("b.c"), LEAK).expect("a file can be written");
    let output = anyrank(directory.path(), &["lint", "--fix", "real.c", "b.c"]);
    assert_eq!(code(&output), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "error: real.c: not changed: the file is read-only\n");
    assert_eq!((read(&directory, "real.c").as_str(), mode(&real)), (LEAK, 0o440));
    assert!(read(&directory, "b.c").contains("MPI_Comm_free"), "the other file gets its edit");
}

/// The failing program of a page that has a fix: the finding goes away, nothing else comes up, and it compiles without a warning.
#[test]
fn what_pages_call_fixable_is_fixed() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules");
    let mut fixable = 0;
    for entry in fs::read_dir(pages).expect("the pages are there") {
        let path = entry.expect("a page").path();
        let page = fs::read_to_string(&path).expect("a page is text");
        if !page.contains(&format!("\n## {FIX}\n")) {
            continue;
        }
        fixable += 1;
        let directory = with("a.c", &program_of(&page, "## A failing program"));
        // What is no defect is not fixed but suggested.
        let name = path.file_stem().and_then(|name| name.to_str()).and_then(Rule::from_id);
        let suggests = name.is_some_and(|rule| rule.group() == Group::Opportunity);
        let arguments = if suggests { ["suggest", "--apply", "a.c"] } else { ["lint", "--fix", "a.c"] };
        let output = anyrank(directory.path(), &arguments);
        assert_eq!(code(&output), Some(0), "{}: {output:?}", path.display());
        assert_ne!(read(&directory, "a.c"), program_of(&page, "## A failing program"), "{}", path.display());
        let compiled = Command::new("mpicc")
            .current_dir(directory.path())
            .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "a.c"])
            .output()
            .expect("`make test` installs mpicc");
        assert!(compiled.status.success(), "{}: {compiled:?}\n{}", path.display(), read(&directory, "a.c"));
    }
    assert!(10 < fixable, "{fixable} pages say that there is a fix");
}
