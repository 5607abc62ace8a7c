//! `anyrank lint` on the sources of a real package, against `clang --analyze` with its MPI checker on the same files in the same run.
//!
//! `scripts/fetch-sources hypre mpich` puts the packages into `build/sources` (or `$ANYRANK_SOURCES`); clang and an MPI's headers come
//! from the system. Both get the same macros and include directories, and both use `$ANYRANK_JOBS` (default 2) processors: anyrank is one
//! process, clang one for each file. The packages are not configured: what little their headers need of a configuration is a header that
//! both get. clang stops where it finds an error, which the row says. `ANYRANK_PACKAGE=hypre` measures one package only.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// A package as it is read.
struct Package {
    name: &'static str,
    /// Directories and files of it.
    parts: &'static [&'static str],
    /// Every directory below these that has a header is on the include path.
    headers: &'static [&'static str],
    define: &'static [&'static str],
    /// What configuring would write: names of headers and their text.
    configuration: &'static [(&'static str, &'static str)],
}

/// The package with the most code, and the one with the most programs, of those that `make real-programs` looks at.
const PACKAGES: [Package; 2] = [
    Package {
        name: "hypre",
        parts: &["src"],
        headers: &["src"],
        define: &[],
        configuration: &[(
            "HYPRE_config.h",
            "#define HYPRE_USING_HOST_MEMORY 1\n#define HYPRE_MAXDIM 3\n#define HYPRE_HAVE_MPI 1\n",
        )],
    },
    Package {
        name: "mpich",
        parts: &[
            "examples",
            "test/mpi/pt2pt",
            "test/mpi/coll",
            "test/mpi/util/mtest.c",
            "test/mpi/util/mtest_common.c",
            "test/mpi/util/mtest_thread.c",
            "test/mpi/util/dtypes.c",
            "test/mpi/dtpools/src",
        ],
        headers: &["test/mpi/include", "test/mpi/dtpools", "test/mpi/pt2pt", "test/mpi/coll", "examples"],
        define: &[
            "STDC_HEADERS",
            "HAVE_STDARG_H",
            "HAVE_STRING_H",
            "THREAD_PACKAGE_NAME=THREAD_PACKAGE_NONE",
        ],
        configuration: &[("mpitestconf.h", ""), ("dtpoolsconf.h", "")],
    },
];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources =
        std::env::var_os("ANYRANK_SOURCES").map_or_else(|| root.join("build/sources"), PathBuf::from);
    let jobs = std::env::var("ANYRANK_JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(2);
    let only = std::env::var("ANYRANK_PACKAGE").ok();
    println!(
        "{:8} {:>6} {:>12} {:>12} {:>8} {:>12}",
        "package", "files", "anyrank", "clang", "ratio", "clang stops"
    );
    for package in PACKAGES.iter().filter(|package| only.as_deref().is_none_or(|only| only == package.name)) {
        let directory = sources.join(package.name);
        if !directory.is_dir() {
            return Err(format!(
                "{}: not there; run scripts/fetch-sources {}",
                directory.display(),
                package.name
            ));
        }
        let configuration = tempfile::tempdir().map_err(|error| error.to_string())?;
        for (name, text) in package.configuration {
            fs::write(configuration.path().join(name), text).map_err(|error| format!("{name}: {error}"))?;
        }
        let mut flags: Vec<OsString> = package.define.iter().map(|name| format!("-D{name}").into()).collect();
        let mut includes = BTreeSet::from([configuration.path().to_owned()]);
        for part in package.headers {
            walk(&directory.join(part), &mut |path| {
                if path.extension().is_some_and(|extension| extension == "h") {
                    includes.extend(path.parent().map(Path::to_owned));
                }
            });
        }
        for include in includes {
            let mut flag = OsString::from("-I");
            flag.push(include);
            flags.push(flag);
        }
        let parts: Vec<PathBuf> = package.parts.iter().map(|part| directory.join(part)).collect();
        let mut files = BTreeSet::new();
        for part in &parts {
            walk(part, &mut |path| {
                if path.extension().is_some_and(|extension| extension == "c") {
                    files.insert(path.to_owned());
                }
            });
        }
        let ours = anyrank(&parts, &flags, jobs)?;
        let (clang, stopped) = clang(&files, &flags, jobs)?;
        println!(
            "{:8} {:>6} {:>10.1} s {:>10.1} s {:>8.2} {stopped:>12}",
            package.name,
            files.len(),
            ours.as_secs_f64(),
            clang.as_secs_f64(),
            ours.as_secs_f64() / clang.as_secs_f64(),
        );
    }
    Ok(())
}

/// Lints all programs of some directories.
fn anyrank(parts: &[PathBuf], flags: &[OsString], jobs: usize) -> Result<Duration, String> {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_anyrank"))
        .args(["lint", "--quiet", "--color", "never", "-j", &jobs.to_string()])
        .args(flags)
        .args(parts)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.code() {
        Some(0 | 1) => Ok(start.elapsed()),
        _ => Err(format!("anyrank: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

/// Analyses all files, several at a time; how many clang could not read to the end.
fn clang(files: &BTreeSet<PathBuf>, flags: &[OsString], jobs: usize) -> Result<(Duration, usize), String> {
    let includes = mpi_includes()?;
    let queue = Mutex::new(files.iter());
    let start = Instant::now();
    let analyse = || -> Result<usize, String> {
        let mut stopped = 0;
        loop {
            let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(file) = next else { return Ok(stopped) };
            let status = Command::new("clang")
                .args([
                    "--analyze",
                    "-Xclang",
                    "-analyzer-checker=optin.mpi.MPI-Checker",
                    "-w",
                    "-o",
                    "/dev/null",
                ])
                .args(&includes)
                .args(flags)
                .arg(file)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .map_err(|error| format!("clang: {error}; it comes with the package clang"))?;
            stopped += usize::from(!status.success());
        }
    };
    let stopped = thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(analyse)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|_| Err("a thread died".to_owned())))
            .sum::<Result<usize, String>>()
    })?;
    Ok((start.elapsed(), stopped))
}

/// Where the headers of the system's MPI are.
fn mpi_includes() -> Result<Vec<OsString>, String> {
    let output = Command::new("mpicc")
        .arg("-show")
        .output()
        .map_err(|error| format!("mpicc: {error}; make setup-test installs it"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.split_whitespace().filter(|word| word.starts_with("-I")).map(OsString::from).collect())
}

/// All files below a path, or the file that it is.
fn walk(path: &Path, visit: &mut impl FnMut(&Path)) {
    if path.is_file() {
        return visit(path);
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        walk(&path, visit);
    }
}
