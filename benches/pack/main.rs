//! How fast layouts are packed and unpacked: loops written by hand, `memcpy`, `MPI_Pack` of MPICH and Open MPI, our loops, and the C code that
//! we write for them.
//!
//! `rows.rs` has the layouts. For each MPI there is a program of `driver.c` and generated code, which checks every way against the runs of
//! the recursive oracle ([`Tree::flatten`]) before it times them in turn. With `ANYRANK_PACK=FILE` the tables are written there as
//! Markdown; with a word only the rows with it in their names are run.

mod program;
mod rows;
mod table;

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list" || argument == "--test") {
        return ExitCode::SUCCESS;
    }
    let only = arguments.iter().find(|argument| !argument.starts_with('-'));
    let directory = tempfile::tempdir().expect("there is a place for temporary files");
    let rows = rows::all();
    program::write(&rows, directory.path());
    let mut results = Vec::new();
    for mpi in ["mpich", "openmpi"] {
        let Some(program) = program::compile(mpi, directory.path()) else {
            eprintln!("there is no mpicc.{mpi}");
            return ExitCode::FAILURE;
        };
        // A program that is started by itself is the only process.
        let output = Command::new(program).args(only).output().expect("it was built");
        if !output.status.success() {
            eprintln!("{mpi}: {}", String::from_utf8_lossy(&output.stderr));
            return ExitCode::FAILURE;
        }
        results.push(table::Results::read(&String::from_utf8_lossy(&output.stdout)));
    }
    let text = table::markdown(&rows, &results);
    print!("{text}");
    if let Ok(file) = std::env::var("ANYRANK_PACK") {
        std::fs::write(&file, text).expect("the file can be written");
    }
    ExitCode::SUCCESS
}
