//! The `anyrank` command. Everything it does is in the library; here only the exit code is decided.

use std::process::ExitCode;

fn main() -> ExitCode {
    anyrank::run(std::env::args_os()).into()
}
