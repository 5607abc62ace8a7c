//! The MPI call table against the headers of MPICH and Open MPI, against our own `mpi.h`, and against itself.

use std::path::{Path, PathBuf};

mod against_headers;
mod datatypes;
mod meaning;
mod prototypes;

/// A directory of its own for one test, below the build directory.
fn scratch_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi_table").join(name);
    std::fs::create_dir_all(&directory).expect("the build directory can be written");
    directory
}
