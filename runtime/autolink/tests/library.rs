//! AutoLink under both MPIs, alone, under valgrind, and with gcc's sanitizers. What is true of a structure after its
//! journey is checked by the C programs in `tests/programs`, each of which says what it tries.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

#[path = "../../../tests/support/held.rs"]
mod held;
#[path = "../../../tests/support/mpi_run.rs"]
mod mpi_run;

use held::Key;
use mpi_run::{Mpi, Options, Program};

/// The text that makes and judges the runs.
const HOW: [&str; 2] = [include_str!("library.rs"), include_str!("../../../tests/support/mpi_run.rs")];

const WARNINGS: &[&str] = &["-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror"];
/// `check.h` has what they are to overlook.
const SANITIZERS: &[&str] = &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

const INCLUDE: &str = concat!("-I", env!("CARGO_MANIFEST_DIR"));

fn library() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What is checked with this compiler, unless the library, its programs and the compiler are those with which it held before.
fn checked(mpi: Mpi, what: &str, check: impl FnOnce()) {
    let files = held::files_below(&library(), &["c", "h", "supp"]);
    let key = Key::new(&HOW)
        .and_commands([mpi.mpicc(), mpi.launcher(), "valgrind".to_owned()])
        .and_files(&library(), &files)
        .and((mpi.title(), what));
    held::check_by_panic(&key, check);
}

fn c_files() -> impl Iterator<Item = PathBuf> {
    let files = autolink_runtime::FILES.iter().map(|file| library().join(file.name));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "c"))
}

/// The library, and what the programs share, compiled with these flags: once for all programs that are linked with it.
fn common(mpi: Mpi, flags: &[&str]) -> PathBuf {
    type Archives = BTreeMap<(Mpi, String), Arc<OnceLock<PathBuf>>>;
    static MADE: Mutex<Archives> = Mutex::new(BTreeMap::new());
    let name: String = flags.concat().chars().filter(char::is_ascii_alphanumeric).collect();
    let once = Arc::clone(MADE.lock().unwrap().entry((mpi, name.clone())).or_default());
    once.get_or_init(|| {
        let programs = library().join("tests/programs");
        let sources: Vec<PathBuf> =
            ["same.c", "shapes.c"].iter().map(|name| programs.join(name)).chain(c_files()).collect();
        let sources: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
        mpi_run::archive(mpi, &name, &sources, &all_flags(flags)).unwrap()
    })
    .clone()
}

fn all_flags<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    [WARNINGS, &[INCLUDE], flags].concat()
}

/// One of `tests/programs` with the library.
fn compile(mpi: Mpi, program: &str, flags: &[&str]) -> Program {
    let program = library().join("tests/programs").join(program);
    mpi_run::compile(mpi, &[&program, &common(mpi, flags)], &all_flags(flags)).unwrap()
}

fn run(program: &Program, np: usize, arguments: &[&str], under: &[&str]) {
    let options = Options { arguments, under, trace: false, time_limit: Duration::from_secs(300) };
    let outcome = program.run(np, options).unwrap();
    assert!(outcome.succeeded(), "{arguments:?}: {:?}\n{}{}", outcome.status, outcome.stdout, outcome.stderr);
}

/// Runs a program of one process that needs no MPI.
fn run_alone(program: &str, flags: &[&str], under: &[&str], arguments: &[&str]) {
    checked(Mpi::Mpich, &format!("{program} {flags:?} {under:?} {arguments:?}"), || {
        let compiled = compile(Mpi::Mpich, program, flags);
        let words = [under, &[compiled.executable().to_str().unwrap()], arguments].concat();
        let output = Command::new(words[0]).args(&words[1..]).output().unwrap();
        assert!(output.status.success(), "{:?}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    });
}

fn under_valgrind(program: &Program, np: usize, arguments: &[&str]) {
    let ours = format!("--suppressions={}", library().join("tests/mpi.supp").display());
    let command = [
        "valgrind",
        "-q",
        // Deep enough to see which call of MPI it is that allocates.
        "--num-callers=60",
        "--leak-check=full",
        "--show-leak-kinds=definite,possible",
        "--errors-for-leak-kinds=definite,possible",
        "--error-exitcode=9",
        &ours,
    ];
    run(program, np, arguments, &command);
}

#[test]
fn all_files_of_the_directory_are_carried() {
    let mut found: Vec<String> = fs::read_dir(library())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".c") || name.ends_with(".h"))
        .collect();
    found.sort();
    assert_eq!(found, autolink_runtime::FILES.iter().map(|file| file.name).collect::<Vec<_>>());
}

#[test]
fn copies_are_the_same_and_errors_are_found() {
    run_alone("local.c", SANITIZERS, &[], &["100"]);
}

#[test]
fn marks_know_which_block_has_a_byte() {
    run_alone("marks.c", SANITIZERS, &[], &["2000"]);
}

#[test]
fn no_stream_makes_half_a_structure() {
    let flags = [SANITIZERS, &["-DAL_TEST_ALLOCATOR"]].concat();
    run_alone("streams.c", &flags, &[], &["300"]);
}

#[test]
fn any_bytes_are_a_structure_or_an_error() {
    let flags = [SANITIZERS, &["-DAL_TEST_ALLOCATOR"]].concat();
    run_alone("anything.c", &flags, &[], &["300"]);
}

#[test]
fn no_byte_is_sent_that_is_undefined() {
    let valgrind = ["valgrind", "-q", "--error-exitcode=9"];
    run_alone("streams.c", &["-O1", "-DAL_TEST_ALLOCATOR"], &valgrind, &["10"]);
}

fn structures_arrive(mpi: Mpi) {
    checked(mpi, "structures_arrive", || {
        let program = compile(mpi, "transfers.c", &["-O2"]);
        // Random structures, large ones in nodes, bytes of a packet.
        run(&program, 2, &["100", "1000000"], &[]);
        run(&program, 3, &["100", "1000", "4096"], &[]);
    });
}

#[test]
fn structures_arrive_as_they_were_under_mpich() {
    structures_arrive(Mpi::Mpich);
}

#[test]
fn structures_arrive_as_they_were_under_open_mpi() {
    structures_arrive(Mpi::OpenMpi);
}

#[test]
fn many_transfers_go_on_at_once() {
    for mpi in Mpi::ALL {
        checked(mpi, "requests", || run(&compile(mpi, "requests.c", &["-O2"]), 3, &[], &[]));
    }
}

fn failed_allocations(mpi: Mpi) {
    checked(mpi, "failed_allocations", || {
        run(&compile(mpi, "allocations.c", &["-O1", "-DAL_TEST_ALLOCATOR"]), 2, &["2"], &[]);
    });
}

#[test]
fn a_failed_allocation_leaves_nothing_behind_under_mpich() {
    failed_allocations(Mpi::Mpich);
}

#[test]
fn a_failed_allocation_leaves_nothing_behind_under_open_mpi() {
    failed_allocations(Mpi::OpenMpi);
}

fn under_sanitizers(mpi: Mpi) {
    checked(mpi, "under_sanitizers", || {
        run(&compile(mpi, "transfers.c", SANITIZERS), 2, &["30", "3000", "4096"], &[]);
        run(&compile(mpi, "requests.c", SANITIZERS), 2, &["4"], &[]);
    });
}

#[test]
fn sanitizers_find_nothing_under_mpich() {
    under_sanitizers(Mpi::Mpich);
}

#[test]
fn sanitizers_find_nothing_under_open_mpi() {
    under_sanitizers(Mpi::OpenMpi);
}

fn valgrind_of_transfers(mpi: Mpi) {
    checked(mpi, "valgrind_of_transfers", || {
        under_valgrind(&compile(mpi, "transfers.c", &["-O1"]), 2, &["6", "100", "4096"]);
    });
}

#[test]
fn valgrind_finds_nothing_under_mpich() {
    valgrind_of_transfers(Mpi::Mpich);
}

#[test]
fn valgrind_finds_nothing_under_open_mpi() {
    valgrind_of_transfers(Mpi::OpenMpi);
}
