//! A process with a limit on its time and its memory.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// What a process may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Wall time.
    pub(crate) seconds: u64,
    /// Address space.
    pub(crate) bytes: u64,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// `None` if it was killed because its time was up.
    pub(crate) status: Option<ExitStatus>,
    /// What it wrote to standard error.
    pub(crate) said: String,
    /// The most physical memory that it used at a time; `None` where the system does not say.
    pub(crate) peak: Option<u64>,
}

/// How a process died that did not end by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Death {
    /// Its time was up.
    Time,
    /// It asked for more memory than it may have.
    Memory,
    /// Its stack overflowed.
    Stack,
    /// Something else; the last line of what it said.
    Other(String),
}

/// Between two looks at the process. What it allocates in its last such moments may be missed.
const PULSE: Duration = Duration::from_millis(20);

/// Runs a program to its end or to that of its time. Standard output is dropped; standard error goes through a file in
/// `scratch`.
///
/// # Errors
/// It could not be started.
pub(crate) fn run(
    program: &Path,
    arguments: &[OsString],
    directory: &Path,
    limits: Limits,
    scratch: &Path,
) -> io::Result<Ended> {
    let log = scratch.join("stderr");
    // A shell that sets the limit on itself and then becomes the program; not every system has that limit.
    let mut child = Command::new("sh")
        .arg("-c")
        .arg("ulimit -v \"$0\" 2>/dev/null; exec \"$@\"")
        .arg((limits.bytes >> 10).to_string())
        .arg(program)
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&log)?)
        .spawn()?;
    let deadline = Instant::now() + Duration::from_secs(limits.seconds);
    let mut peak = None;
    let status = loop {
        peak = peak.max(peak_of(child.id()));
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if deadline <= Instant::now() {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(PULSE);
    };
    let said = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    Ok(Ended { status, said, peak })
}

/// `VmHWM` of a running process, in bytes.
fn peak_of(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

impl Ended {
    /// How it died. The caller knows that it did: there is no result.
    pub(crate) fn death(&self) -> Death {
        if self.status.is_none() {
            Death::Time
        } else if self.said.contains("memory allocation of") {
            Death::Memory
        } else if self.said.contains("has overflowed its stack") {
            Death::Stack
        } else {
            let status = self.status.map(|status| status.to_string()).unwrap_or_default();
            let last = self.said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            Death::Other(if last.is_empty() { status } else { format!("{status}: {last}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Ended {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let arguments = [OsString::from("-c"), OsString::from(script)];
        run(Path::new("sh"), &arguments, scratch.path(), limits, scratch.path()).expect("a shell")
    }

    const PLENTY: Limits = Limits { seconds: 60, bytes: 1 << 33 };

    #[test]
    fn a_process_ends_by_itself() {
        let ended = shell("echo told >&2; exit 3", PLENTY);
        assert_eq!(ended.status.and_then(|status| status.code()), Some(3));
        assert_eq!(ended.said, "told\n");
        assert!(matches!(ended.death(), Death::Other(said) if said.ends_with(": told")));
    }

    #[test]
    fn a_process_is_killed_when_its_time_is_up() {
        let ended = shell("exec sleep 60", Limits { seconds: 1, ..PLENTY });
        assert_eq!(ended.death(), Death::Time);
        if cfg!(target_os = "linux") {
            assert!(ended.peak.is_some_and(|peak| (1 << 14..1 << 30).contains(&peak)), "{:?}", ended.peak);
        }
    }

    #[test]
    fn a_process_gets_its_limit_of_memory() {
        let ended = shell("ulimit -v >&2", Limits { bytes: 3 << 30, ..PLENTY });
        assert!(!cfg!(target_os = "linux") || ended.said.trim() == (3 << 20).to_string(), "{}", ended.said);
    }
}
