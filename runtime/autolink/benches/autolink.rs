//! `cargo bench -p autolink-runtime`: lists, trees and graphs by AutoLink against transfers written by hand, under both
//! MPIs, and the memory that the library has at most. The numbers are those of `transfers.c`, which says how they are taken.
#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::time::Duration;

#[path = "../../../tests/support/mpi_run.rs"]
mod mpi_run;

use mpi_run::{Mpi, Options};

fn main() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = autolink_runtime::FILES.iter().map(|file| library.join(file.name));
    let mut sources: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    sources.push(library.join("benches/transfers.c"));
    let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    let include = format!("-I{}", library.display());
    for mpi in Mpi::ALL {
        for (title, nodes, rounds, flag) in [
            ("small", "10000", "101", "-O2"),
            ("large", "1000000", "11", "-O2"),
            ("memory", "1000000", "1", "-DAL_TEST_ALLOCATOR"),
        ] {
            let program = mpi_run::compile(mpi, &sources, &["-std=c11", "-O2", &include, flag]).unwrap();
            let options = Options {
                arguments: &[nodes, rounds],
                trace: false,
                time_limit: Duration::from_secs(600),
                ..Options::default()
            };
            let outcome = program.run(2, options).unwrap();
            assert!(outcome.succeeded(), "{outcome:?}");
            println!("{}, {title}: {nodes} nodes\n{}", mpi.title(), outcome.stdout);
        }
    }
}
