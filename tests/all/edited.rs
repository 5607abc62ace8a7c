//! Whether an edited program does what the original did: both are compiled without a warning and run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::held::{self, Key, files_below};
use crate::mpi_run::{Mpi, Options, Program, compile};

/// How suggestions are compiled.
pub(crate) const FLAGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"];

/// The text that makes and judges the runs.
const HOW: [&str; 2] = [include_str!("edited.rs"), include_str!("../support/mpi_run.rs")];

/// Both programs say the same with these numbers of processes; the original comes from `corpus/`.
pub(crate) fn does_the_same(original: &Path, edited: &Path, counts: &[usize]) -> Result<(), String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| error.to_string());
    let (old, new) = (read(original)?, read(edited)?);
    let own = old.lines().find_map(|line| line.strip_prefix(" *   compile-flags: ")).unwrap_or_default();
    let flags: Vec<&str> = FLAGS.into_iter().chain(own.split_whitespace()).collect();
    let mpi = Mpi::OpenMpi;
    let key = Key::new(&HOW).and_commands([mpi.mpicc(), mpi.launcher()]);
    let key = key.and_files(&corpus(), &files_below(&corpus(), &["h"])).and((&old, &new, counts, &flags));
    held::check(&key, || {
        let build = |source: &Path| compile(mpi, &[source], &flags);
        let (before, after) = (build(original)?, build(edited)?);
        for &np in counts {
            let ((did, old_said), (does, new_said)) = (run(&before, np)?, run(&after, np)?);
            // A launcher that fails says so there.
            if did != does {
                return Err(format!(
                    "with {np} processes {did:?}, edited {does:?}\noriginal {old_said}\nedited {new_said}"
                ));
            }
        }
        Ok(())
    })
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

type Did = (bool, Vec<String>);

/// What a run did, and what it said of it.
fn run(program: &Program, np: usize) -> Result<(Did, String), String> {
    let outcome = program.run(np, Options { trace: false, ..Options::default() })?;
    // Which process prints first is nobody's choice.
    let mut lines: Vec<String> = outcome.stdout.lines().map(str::to_owned).collect();
    lines.sort_unstable();
    Ok(((outcome.succeeded(), lines), format!("{:?}: {}", outcome.status, outcome.stderr)))
}
