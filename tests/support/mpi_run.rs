//! Runs MPI programs: compiles them with either MPI, starts ranks with a time limit, with or without the PMPI
//! tracer (`runtime/trace`) preloaded.
//!
//! Shared by the tests and an example: `#[path = "support/mpi_run.rs"] mod mpi_run;`. Linux only, as the tracer is.

#![allow(dead_code, reason = "each test program uses its part of this module")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

#[path = "mpi_trace.rs"]
pub(crate) mod mpi_trace;

use mpi_trace::Trace;

/// An MPI implementation, as Debian and Ubuntu install it beside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Mpi {
    /// Polls: unusable with many more ranks than cores.
    Mpich,
    /// The one for many ranks on few cores.
    OpenMpi,
}

impl Mpi {
    /// Both of them.
    pub(crate) const ALL: [Self; 2] = [Self::Mpich, Self::OpenMpi];

    /// As its makers write it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Mpich => "MPICH",
            Self::OpenMpi => "Open MPI",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Mpich => "mpich",
            Self::OpenMpi => "openmpi",
        }
    }

    /// The compiler wrapper.
    pub(crate) fn mpicc(self) -> String {
        format!("mpicc.{}", self.name())
    }

    /// The command that starts ranks.
    pub(crate) fn launcher(self) -> String {
        format!("mpiexec.{}", self.name())
    }

    /// The command up to the program, without environment.
    fn mpiexec(self, np: usize) -> Command {
        let mut command = Command::new(self.launcher());
        // Each rank otherwise looks through the PCI devices of the machine, which takes a fifth of a short run's time.
        command
            .env("HWLOC_COMPONENTS", "-linuxio,-pci,-gl,-opencl")
            .env("HWLOC_PLUGINS_PATH", "/nonexistent");
        match self {
            Self::Mpich => {
                command.args(["-n", &np.to_string()]);
                // Looking for networks takes a third of a short run's time.
                command.env("UCX_TLS", "self,sysv");
            }
            Self::OpenMpi => {
                // As root in a container, on fewer cores than ranks, without another host, and without the shared-memory
                // shortcut that containers forbid.
                command.args([
                    "--allow-run-as-root",
                    "--oversubscribe",
                    "--bind-to",
                    "none",
                    "-n",
                    &np.to_string(),
                ]);
                command
                    .env("OMPI_MCA_btl", "self,vader,tcp")
                    .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none");
                // Windows otherwise want a network that can access memory, which is not there.
                command.env("OMPI_MCA_osc", "sm,pt2pt");
                // Looking for other ways to launch and to send takes half of a short run's time.
                command.env("OMPI_MCA_plm", "isolated").env("OMPI_MCA_pml", "ob1");
                // What is left out here is loaded by each rank and does nothing for a few ranks on one machine.
                command
                    .env("OMPI_MCA_coll", "self,basic,libnbc,inter,tuned,sync")
                    .env("OMPI_MCA_op", "^avx")
                    .env("OMPI_MCA_mpool", "^hugepage")
                    .env("OMPI_MCA_reachable", "weighted")
                    .env("OMPI_MCA_schizo", "ompi,orte")
                    .env("OMPI_MCA_shmem", "mmap");
                command
                    .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
                    .env("OMPI_MCA_mpi_yield_when_idle", "1");
            }
        }
        command
    }

    /// Sets a variable for the ranks, not for the launcher.
    fn pass(self, command: &mut Command, variable: &str, value: &str) {
        match self {
            Self::Mpich => command.args(["-genv", variable, value]),
            Self::OpenMpi => command.args(["-x", &format!("{variable}={value}")]),
        };
    }

    /// The functions that the tracer sees.
    pub(crate) fn traced(self) -> Result<BTreeSet<String>, String> {
        let output = Command::new("nm")
            .args(["-D", "--defined-only", "-P"])
            .arg(self.tracer()?)
            .output()
            .map_err(|error| format!("nm: {error} (make setup-test installs it)"))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let names = text.lines().filter_map(|line| line.split_whitespace().next());
        Ok(names.filter(|name| name.starts_with("MPI_")).map(str::to_owned).collect())
    }

    /// The tracer for this MPI, built on first use.
    fn tracer(self) -> Result<&'static Path, String> {
        static BUILT: [OnceLock<Result<PathBuf, String>>; 2] = [OnceLock::new(), OnceLock::new()];
        let built = BUILT[self as usize].get_or_init(|| {
            let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("runtime/trace");
            let mut files: Vec<PathBuf> = fs::read_dir(&sources)
                .map_err(|error| format!("{}: {error}", sources.display()))?
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
                .collect();
            files.sort();
            let directory = scratch_root().join("anyrank-trace").join(self.name());
            fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
            let library = directory.join("libanyrank_trace.so");
            // Other test programs may build or load it at the same time: renaming is atomic.
            let fresh = directory.join(format!("{}.so", std::process::id()));
            let mut command = Command::new(self.mpicc());
            command.args(["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror", "-o"]);
            command.arg(&fresh).args(files).args(["-ldl", "-pthread"]);
            check(&mut command)?;
            fs::rename(&fresh, &library).map_err(|error| error.to_string())?;
            Ok(library)
        });
        built.as_deref().map_err(Clone::clone)
    }
}

/// Runs a command that must succeed.
fn check(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| {
        format!("{}: {error} (make setup-test installs it)", command.get_program().to_string_lossy())
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// Cargo gives tests a place for their files, and examples none.
fn scratch_root() -> PathBuf {
    option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from)
}

/// Leave for one more run at a time. It is given back when it goes away.
struct Place;

/// How many more runs there may be at a time: as many as there are cores. Each is several processes.
static FREE: Mutex<Option<usize>> = Mutex::new(None);
static GIVEN_BACK: Condvar = Condvar::new();

impl Place {
    /// Waits until a run may start.
    fn take() -> Self {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = free.get_or_insert_with(cores);
            if *left > 0 {
                *left -= 1;
                return Self;
            }
            free = GIVEN_BACK.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        *free = free.map(|left| left + 1);
        GIVEN_BACK.notify_one();
    }
}

/// A directory of our own that goes away with its owner.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = scratch_root().join(format!("anyrank-run-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed stays in the build directory; no test depends on it.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A compiled MPI program.
#[derive(Debug)]
pub(crate) struct Program {
    mpi: Mpi,
    executable: PathBuf,
    scratch: Scratch,
}

/// The compiler with the flags of all programs: debug information, and call frames as written.
fn compiler(mpi: Mpi) -> Command {
    let mut command = Command::new(mpi.mpicc());
    command.args(["-g", "-O0", "-fno-optimize-sibling-calls"]);
    if mpi == Mpi::Mpich {
        // Its MPI_STATUSES_IGNORE looks to gcc like an array without elements.
        command.arg("-Wno-stringop-overflow");
    }
    command
}

/// Compiles C files into one program, with debug information and call frames as written. `flags` come last.
pub(crate) fn compile(mpi: Mpi, sources: &[&Path], flags: &[&str]) -> Result<Program, String> {
    let scratch = Scratch::new()?;
    let executable = scratch.0.join("program");
    let mut command = compiler(mpi);
    command.arg("-o").arg(&executable).args(sources).args(flags).arg("-lm");
    check(&mut command)?;
    Ok(Program { mpi, executable, scratch })
}

/// Whether each of these C files compiles, for those that are not run: neither assembled nor linked.
pub(crate) fn compiles(mpi: Mpi, sources: &[&Path], flags: &[&str]) -> Result<(), String> {
    let each = |source: &&Path| check(compiler(mpi).args(["-S", "-o", "/dev/null"]).arg(source).args(flags));
    sources.iter().try_for_each(each)
}

/// Compiles C files into an archive of this name, for several programs: it is one of the sources of each. `flags` come last.
pub(crate) fn archive(mpi: Mpi, name: &str, sources: &[&Path], flags: &[&str]) -> Result<PathBuf, String> {
    let scratch = Scratch::new()?;
    // One compiler for each file, as many at a time as there are cores.
    let next = AtomicUsize::new(0);
    let object = |number: usize| scratch.0.join(format!("{number}.o"));
    let work = || -> Result<(), String> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(source) = sources.get(number) else { return Ok(()) };
            check(compiler(mpi).arg("-c").arg("-o").arg(object(number)).arg(source).args(flags))?;
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a thread panicked".to_owned())?)
    })?;
    let fresh = scratch.0.join("objects.a");
    check(Command::new("ar").arg("rcs").arg(&fresh).args((0..sources.len()).map(object)))?;
    let directory = scratch_root().join("anyrank-archives").join(mpi.name());
    fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let archive = directory.join(name).with_extension("a");
    // Other test programs may make or link it at the same time: renaming is atomic.
    fs::rename(&fresh, &archive).map_err(|error| error.to_string())?;
    Ok(archive)
}

/// How to run a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'a> {
    /// The program's arguments.
    pub(crate) arguments: &'a [&'a str],
    /// After this it is killed with all its ranks.
    pub(crate) time_limit: Duration,
    /// Whether the tracer is preloaded.
    pub(crate) trace: bool,
    /// A command that runs the program at each rank, with its arguments (`valgrind -q`).
    pub(crate) under: &'a [&'a str],
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { arguments: &[], time_limit: Duration::from_secs(120), trace: true, under: &[] }
    }
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// `None` if it was killed at the time limit.
    pub(crate) status: Option<ExitStatus>,
    /// Of all ranks.
    pub(crate) stdout: String,
    /// Of all ranks and the launcher.
    pub(crate) stderr: String,
    /// Empty without the tracer. Of a run that was killed: what was logged until then.
    pub(crate) trace: Trace,
}

impl Outcome {
    /// Whether it ended by itself, with exit code 0.
    pub(crate) fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

impl Program {
    /// Where it is, as long as this value lives.
    pub(crate) fn executable(&self) -> &Path {
        &self.executable
    }

    /// Starts `np` ranks and waits for them, as soon as there are fewer runs than cores.
    pub(crate) fn run(&self, np: usize, options: Options<'_>) -> Result<Outcome, String> {
        let _place = Place::take();
        let traces = Scratch::new()?;
        let mut command = self.mpi.mpiexec(np);
        if options.trace {
            let prefix = traces.0.join("rank");
            self.mpi.pass(&mut command, "ANYRANK_TRACE", &prefix.to_string_lossy());
            self.mpi.pass(&mut command, "LD_PRELOAD", &self.mpi.tracer()?.to_string_lossy());
        }
        command
            .args(options.under)
            .arg(&self.executable)
            .args(options.arguments)
            .current_dir(&self.scratch.0);
        // Open MPI's launchers make and remove one directory for all runs, and stumble over each other where others run too.
        command.env("OMPI_MCA_orte_tmpdir_base", &traces.0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
        let stdout = drain(child.stdout.take());
        let stderr = drain(child.stderr.take());
        let status = wait(&mut child, options.time_limit)?;
        let text = |reader: thread::JoinHandle<Vec<u8>>| {
            String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
        };
        let (stdout, stderr) = (text(stdout), text(stderr));
        let trace = if options.trace { Trace::read(&traces.0.join("rank"), np)? } else { Trace::default() };
        Ok(Outcome { status, stdout, stderr, trace })
    }
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What arrived before an error is still what the program said.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// `None` when the time is up and everything was killed.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>, String> {
    let poll = |child: &mut Child, until: Instant| -> Result<Option<ExitStatus>, String> {
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok(Some(status));
            }
            if Instant::now() >= until {
                return Ok(None);
            }
            thread::sleep(Duration::from_millis(5));
        }
    };
    let finished = poll(child, Instant::now() + limit)?;
    if finished.is_some() {
        return Ok(finished);
    }
    // The launchers pass SIGTERM on to their ranks, which may be in process groups of their own.
    for signal in ["-TERM", "-KILL"] {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args([signal, "--", &group]).stderr(Stdio::null()).status();
        if poll(child, Instant::now() + Duration::from_secs(5))?.is_some() {
            return Ok(None);
        }
    }
    Err("the launcher survived SIGKILL".to_owned())
}
