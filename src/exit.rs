//! What the exit code says.

use std::process::ExitCode;

/// How a run ended (design section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Nothing at warning or above.
    Clean,
    /// Findings at warning or above.
    Findings,
    /// The job, or a part of it that the user named, could not be done; a message is on stderr.
    Failed,
    /// A signal of this number asked for an end; what was done by then is printed.
    Interrupted(i32),
}

impl Exit {
    /// From the exit code of another process that does the job.
    #[cfg(unix)]
    pub(crate) fn from_code(code: i32) -> Self {
        match code {
            0 => Self::Clean,
            1 => Self::Findings,
            129.. => Self::Interrupted(code - 128),
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Failed => 2,
            // As a shell says it of a program that a signal has ended.
            Exit::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        })
    }
}

/// The job could not be done. The message is for the user and stands alone.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(pub String);

impl Failure {
    /// A failure with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}
