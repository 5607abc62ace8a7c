//! The command as scripts see it. What the tests share is here: the command, and what it said.

mod codes;
mod contracts;
mod inputs;
mod looks;
mod outputs;
mod settings;
mod survival;

use std::fs;
use std::process::{Command, Output, Stdio};

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
