//! Asking other programs, with a time limit and without trusting the project for which ones.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a program said.
pub(crate) struct Answer {
    /// Whether it exited with status 0.
    pub(crate) success: bool,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// Its standard error.
    pub(crate) stderr: Vec<u8>,
}

/// Bytes of output that are kept of a program.
const MAX_OUTPUT: u64 = 256 << 20;

/// Runs a program with `input` on its standard input, and kills it when it takes longer than `limit`.
///
/// # Errors
///
/// When it cannot be started, or with [`io::ErrorKind::TimedOut`].
pub(crate) fn run_with_timeout(command: &mut Command, input: &[u8], limit: Duration) -> io::Result<Answer> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let deadline = Instant::now() + limit;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        // A program that does not read its input breaks the pipe, which is its affair.
        scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
        let out = scope.spawn(move || read_all(stdout));
        let err = scope.spawn(move || read_all(stderr));
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if Instant::now() >= deadline {
                child.kill()?;
                child.wait()?;
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    format!("no answer within {} s", limit.as_secs()),
                ));
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        // The readers return whatever came before a failure.
        let (stdout, stderr) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        Ok(Answer { success: status.success(), stdout, stderr })
    })
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(pipe) = pipe {
        // A read error ends the output; the exit status tells the rest.
        let _ = pipe.take(MAX_OUTPUT).read_to_end(&mut out);
    }
    out
}

/// Whether a program named by a project's files may be run: a name to be found on the `PATH`, or an absolute path
/// outside of `project`. Opening a project must not run what the project brings.
pub(crate) fn may_run(program: &str, project: &Path) -> bool {
    let path = Path::new(program);
    if path.components().count() == 1 && !path.is_absolute() {
        return true;
    }
    path.is_absolute() && {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let project = project.canonicalize().unwrap_or_else(|_| project.to_path_buf());
        !real.starts_with(&project) || project.parent().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_both_kinds_arrives() {
        let mut command = Command::new("sh");
        command.args(["-c", "cat; echo no >&2; exit 3"]);
        let answer = run_with_timeout(&mut command, b"yes", Duration::from_secs(10)).unwrap();
        assert!(!answer.success);
        assert_eq!((&*answer.stdout, &*answer.stderr), (&b"yes"[..], &b"no\n"[..]));
    }

    #[test]
    fn a_program_that_does_not_answer_is_ended() {
        let mut command = Command::new("sleep");
        command.arg("30");
        let begin = Instant::now();
        let error = run_with_timeout(&mut command, b"", Duration::from_millis(50)).map(|_| ()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn a_project_cannot_bring_its_own_compiler() {
        let project = std::env::temp_dir();
        assert!(may_run("mpicc", &project));
        assert!(may_run("/usr/bin/mpicc", &project));
        assert!(!may_run("./mpicc", &project));
        assert!(!may_run(&project.join("bin/mpicc").display().to_string(), &project));
    }
}
