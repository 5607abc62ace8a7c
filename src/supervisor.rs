//! Has a command done by another process, so that what kills that process costs one program only.
//!
//! The other process is this program again, started as `anyrank WORKER ...`. It writes down what it is at (see [`journal`]). Where it is
//! killed, by a stack that overflows or by memory that is used up, it is started anew without what was under way then; where several
//! things were, these are done one at a time, so that it does not depend on `-j` which of them is to blame. What was killed is reported
//! with all other errors.
//!
//! Memory is limited, so that a program too large for the machine ends its own analysis and not the machine's other users.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use frontend::programs::Itself;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getrlimit, kill_process, set_parent_process_death_signal, setrlimit,
};

use crate::exit::Exit;
use crate::journal::{self, Entry};
use crate::session::STACK_BYTES;
use crate::{interrupt, output};

/// The first argument of the process that does the work.
const WORKER: &str = "--supervised-worker";

/// So long a process that was asked to end may take to print what it has.
const GRACE: Duration = Duration::from_secs(10);

/// A signal that comes sooner after the one before is the same key stroke.
const SAME: Duration = Duration::from_millis(500);

/// The memory of a machine that an analysis may take, in hundredths.
const SHARE: u64 = 75;

/// The arguments of a worker without the one that makes it one; `None` for what a user has started.
pub(crate) fn worker_arguments(arguments: &[OsString]) -> Option<Vec<OsString>> {
    match arguments {
        [name, first, rest @ ..] if first == OsStr::new(WORKER) => {
            Some(std::iter::once(name).chain(rest).cloned().collect())
        }
        _ => None,
    }
}

/// Has the command done. `None` where no other process can be started: it has to be done here then.
pub(crate) fn supervise(arguments: &[OsString]) -> Option<Exit> {
    let own = Itself::find().ok()?;
    let mut file = tempfile::tempfile().ok()?;
    let child: Arc<Mutex<Option<Pid>>> = Arc::default();
    forward_signals(&child).ok()?;
    loop {
        journal::write(&mut file, &Entry::Run).ok()?;
        let status = match run(&own, arguments, &file, &child) {
            Ok(status) => status,
            Err(_) => return None,
        };
        if let Some(code) = status.code() {
            return Some(Exit::from_code(code));
        }
        let signal = status.signal().unwrap_or_default();
        if let Some(caught) = interrupt::caught() {
            output::complain(&format!(
                "error: interrupted by {}; nothing is printed\n",
                interrupt::name(caught)
            ));
            return Some(Exit::Interrupted(caught));
        }
        if let Err(message) = blame(&mut file, signal) {
            output::complain(&format!("error: {message}\n"));
            return Some(Exit::Failed);
        }
    }
}

/// Runs the worker to its end.
fn run(
    own: &Itself,
    arguments: &[OsString],
    journal: &File,
    child: &Mutex<Option<Pid>>,
) -> io::Result<ExitStatus> {
    // Both have the same position in it, so that each goes on where the other one stopped.
    let mut journal = journal.try_clone()?;
    io::Seek::rewind(&mut journal)?;
    let worker = OsString::from(WORKER);
    let arguments = std::iter::once(&worker).chain(arguments.iter().skip(1));
    let mut process = own.start_in_our_place(arguments, journal)?;
    let running = |pid| *child.lock().unwrap_or_else(PoisonError::into_inner) = pid;
    running(Some(Pid::from_child(&process)));
    if let Some(signal) = interrupt::caught() {
        // It came when there was nobody to tell.
        tell(child, signal);
    }
    let status = process.wait();
    running(None);
    status
}

/// Writes down what killed the process, or who is suspected. An error says why it is no use to go on.
fn blame(file: &mut File, signal: i32) -> Result<(), String> {
    let name = interrupt::name(signal);
    let entries =
        journal::read(file).map_err(|error| format!("the analysis was ended by {name}: {error}"))?;
    let Some(open) = journal::under_way(&entries) else {
        return Err(format!("ended by {name} while results were written; they may be incomplete"));
    };
    let news: Vec<Entry> = match open.as_slice() {
        [] => return Err(format!("the analysis was ended by {name}{}", cause(signal))),
        [one] => vec![Entry::Lost(
            one.clone(),
            format!("left out: its analysis was ended by {name}{}", cause(signal)),
        )],
        several => several.iter().cloned().map(Entry::Suspect).collect(),
    };
    for entry in news {
        if entries.contains(&entry) {
            return Err(format!("the analysis was ended by {name} again and again"));
        }
        journal::write(file, &entry).map_err(|error| format!("the analysis was ended by {name}: {error}"))?;
    }
    Ok(())
}

/// What a signal says about the reason.
fn cause(signal: i32) -> &'static str {
    match signal {
        6 => ", as where memory or stack are used up (--memory-limit raises the limit of memory)",
        9 => ", as where the system has no memory left",
        7 | 11 => ", as where the stack is used up",
        _ => "",
    }
}

/// Hands on signals that ask this process to end. The other one may take [`GRACE`] then, unless somebody insists.
fn forward_signals(child: &Arc<Mutex<Option<Pid>>>) -> io::Result<()> {
    let child = Arc::clone(child);
    let mut first: Option<Instant> = None;
    interrupt::listen(move |signal| match first {
        None => {
            first = Some(Instant::now());
            tell(&child, signal);
            let child = Arc::clone(&child);
            thread::spawn(move || {
                thread::sleep(GRACE);
                tell(&child, Signal::KILL.as_raw());
            });
        }
        Some(then) if then.elapsed() < SAME => {}
        Some(_) => tell(&child, Signal::KILL.as_raw()),
    })
}

fn tell(child: &Mutex<Option<Pid>>, signal: i32) {
    if let (Some(pid), Some(signal)) =
        (*child.lock().unwrap_or_else(PoisonError::into_inner), Signal::from_named_raw(signal))
    {
        // It may have ended by itself.
        let _ = kill_process(pid, signal);
    }
}

/// Makes this process the worker: it goes on with the journal, takes down signals, and ends with who started it.
pub(crate) fn become_worker() {
    // Each of these is a convenience; without it the work is done all the same.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = interrupt::listen(|_| {});
    if let Ok(file) = io::stdin().as_fd().try_clone_to_owned().map(File::from)
        && file.metadata().is_ok_and(|metadata| metadata.is_file())
    {
        let _ = journal::open(file);
    }
}

/// Limits the memory of this process to so many megabytes, besides the stacks of its threads; to [`SHARE`] of the machine's if not given.
pub(crate) fn limit_memory(megabytes: Option<u64>, jobs: Option<usize>) {
    let Some(limit) = megabytes.map(|megabytes| megabytes.saturating_mul(1 << 20)).or_else(default_limit)
    else {
        return;
    };
    let threads = jobs.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let limit = limit.saturating_add((threads as u64 + 1).saturating_mul(STACK_BYTES as u64));
    let maximum = getrlimit(Resource::Data).maximum;
    let current = Some(maximum.map_or(limit, |maximum| maximum.min(limit)));
    let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
}

/// What may be taken of the memory of the machine, or of the group that this process belongs to, in bytes.
fn default_limit() -> Option<u64> {
    let text = |path: &str| std::fs::read_to_string(path).ok();
    let of_machine = text("/proc/meminfo").and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    });
    let of_group = text("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse::<u64>().ok());
    let least = of_machine.into_iter().chain(of_group).min()?;
    Some(least / 100 * SHARE)
}
