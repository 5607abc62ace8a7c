//! The command in a directory.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs the command without colours and without input.
pub(crate) fn anyrank(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_anyrank"));
    command.current_dir(directory).env("NO_COLOR", "1").stdin(Stdio::null()).args(arguments);
    command.output().expect("the command starts")
}

/// How it ended, which is to be no panic.
pub(crate) fn code(output: &Output) -> Option<i32> {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{text}");
    output.status.code()
}
